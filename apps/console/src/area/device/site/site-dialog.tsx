import { useState } from 'react';
import { Button, Checkbox, Modal, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { siteMbitMaximum } from '@carillon/contracts/constants';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { call, isCallError } from '../../../kit/session/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addSite,
  editSite,
  placeDevices,
  siteKnown,
  siteNamesQuery,
  sitePreviewQuery,
  type Site,
} from './site.calls.ts';
import actions from '../../../kit/part/dialog.module.css';
import css from './site-dialog.module.css';

/** No parent, or no time zone of its own. */
const top = '-';

/** Edits a site and previews its segments: overlaps with other sites, and devices that would move. */
export default function SiteDialog({
  site,
  onDone,
  onClose,
}: {
  site: Site | undefined;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useText();
  const access = useAccess();
  const { values, set, fault, submit, refusal, busy } = useForm({
    name: site?.name ?? '',
    parentId: site?.parentId ?? top,
    description: site?.description ?? '',
    segments: site?.segments.join(', ') ?? '',
    autoAssign: site?.autoAssign ?? false,
    downloadMbit: (site?.downloadMbit ?? '') as number | string,
    timeZone: site?.timeZone ?? top,
  });
  const [move, setMove] = useState(false);
  const [asked] = useDebouncedValue(values.segments.trim(), 300);
  const names = useQuery(siteNamesQuery()).data ?? [];
  const preview = useQuery({ ...sitePreviewQuery(site?.id, asked), enabled: asked !== '' });
  const shown = asked === '' || preview.isError ? undefined : preview.data;
  const wrong =
    preview.isError && isCallError(preview.error) && preview.error.code === 400 ? (
      <FieldError text={preview.error.fields[0]?.msg ?? preview.error.message} />
    ) : undefined;
  // The parent must be neither the site itself nor one below it.
  const below = new Set<string>(
    site
      ? [site.id, ...names.filter((n) => n.path.join('\n').startsWith(`${site.path.join('\n')}\n`)).map((n) => n.id)]
      : [],
  );
  const check = () => {
    const mbit = values.downloadMbit === '' ? 1 : Number(values.downloadMbit);
    return {
      ...(values.name.trim() === '' ? { name: t('site.nameMissing') } : {}),
      ...(Number.isInteger(mbit) && mbit >= 1 && mbit <= siteMbitMaximum
        ? {}
        : { downloadMbit: t('site.downloadMbitWrong', { most: count(siteMbitMaximum) }) }),
    };
  };
  const save = async () => {
    const body = {
      name: values.name.trim(),
      parentId: values.parentId === top ? null : values.parentId,
      description: values.description.trim(),
      segments: values.segments,
      autoAssign: values.autoAssign,
      downloadMbit: values.downloadMbit === '' ? null : Number(values.downloadMbit),
      timeZone: values.timeZone === top ? null : values.timeZone,
    };
    const { id } = await (site ? call(editSite, { body: { id: site.id, ...body } }) : call(addSite, { body }));
    if (move && shown && shown.total > 0) {
      await siteKnown(id);
      await call(placeDevices, { body: { siteId: id, segments: values.segments } });
    }
    await onDone();
    await done(site ? 'saved' : 'added', { name: body.name });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={site ? t('site.editOne', { name: site.name }) : t('site.add')}
      withCloseButton={false}
    >
      <form onSubmit={submit(check, save)} noValidate className={css.form}>
        <TextInput
          name="name"
          label={t('site.name')}
          maxLength={64}
          value={values.name}
          onChange={(e) => set({ name: e.currentTarget.value })}
          error={fault('name')}
          autoComplete="off"
          data-autofocus
        />
        <Select
          name="parentId"
          label={t('site.parent')}
          data={[
            { value: top, label: t('site.top') },
            ...names.filter((n) => !below.has(n.id)).map((n) => ({ value: n.id, label: n.path.join(' / ') })),
          ]}
          value={values.parentId}
          onChange={(v) => set({ parentId: v ?? top })}
          error={fault('parentId')}
          allowDeselect={false}
          searchable={names.length > 8}
        />
        <TextInput
          name="description"
          label={t('site.description')}
          maxLength={256}
          value={values.description}
          onChange={(e) => set({ description: e.currentTarget.value })}
          autoComplete="off"
        />
        <NumberInput
          name="downloadMbit"
          label={t('site.downloadMbit')}
          description={t('site.downloadMbitHint')}
          placeholder={t(values.parentId === top ? 'site.downloadMbitNone' : 'site.downloadMbitParent')}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          value={values.downloadMbit}
          onChange={(downloadMbit) => set({ downloadMbit })}
          error={fault('downloadMbit')}
        />
        <Select
          name="timeZone"
          label={t('site.timeZone')}
          data={[
            { value: top, label: t('site.timeZoneCompany') },
            // The browser may not know a zone that the server does.
            ...new Set([...(site?.timeZone ? [site.timeZone] : []), ...Intl.supportedValuesOf('timeZone')]),
          ]}
          value={values.timeZone}
          onChange={(timeZone) => set({ timeZone: timeZone ?? top })}
          error={fault('timeZone')}
          allowDeselect={false}
          searchable
          openOnFocus={false}
        />
        <Textarea
          name="segments"
          label={t('site.segments')}
          description={t('site.segmentsHint')}
          maxLength={4096}
          value={values.segments}
          onChange={(e) => set({ segments: e.currentTarget.value })}
          error={fault('segments') || wrong}
          autosize
          minRows={2}
          maxRows={6}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
        <Checkbox
          name="autoAssign"
          label={t('site.autoAssign')}
          description={t('site.autoAssignHint')}
          checked={values.autoAssign}
          onChange={(e) => set({ autoAssign: e.currentTarget.checked })}
        />
        {shown && (
          <div className={css.preview} role="status">
            {shown.overlaps.length > 0 && (
              <>
                <p>{t('site.overlapsOthers')}</p>
                <ul className={css.overlaps}>
                  {shown.overlaps.map((o) => (
                    <li key={`${o.segment}${o.other}`}>{t('site.overlap', { ...o })}</li>
                  ))}
                </ul>
              </>
            )}
            <p>
              <strong>{t('site.wouldMove', { count: shown.total, number: count(shown.total) })}</strong>
            </p>
            {shown.total > 0 && (
              <>
                {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrolled by keys; a role would end the list. */}
                <ul className={css.devices} tabIndex={0} aria-label={t('site.devices')}>
                  {shown.devices.map((d) => (
                    <li key={d.id}>
                      <span className="ellipsis" title={d.name}>
                        {d.name}
                      </span>
                      <code>{d.ip}</code>
                      <span className="ellipsis">{d.from ?? t('device.noSite')}</span>
                    </li>
                  ))}
                </ul>
                {shown.total > shown.devices.length && (
                  <p>
                    {t('site.andMore', {
                      count: shown.total - shown.devices.length,
                      number: count(shown.total - shown.devices.length),
                    })}
                  </p>
                )}
                {access.can('editDevice') && (
                  <Checkbox
                    name="move"
                    label={t('site.moveNow', { count: shown.total, number: count(shown.total) })}
                    checked={move}
                    onChange={(e) => setMove(e.currentTarget.checked)}
                  />
                )}
              </>
            )}
          </div>
        )}
        <RefusalBox refusal={refusal} />
        <div className={actions.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(site ? 'common.save' : 'site.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
