import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { siteMbitMaximum } from '@carillon/contracts/constants';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import {
  AreaField,
  CheckField,
  NumberField,
  SelectField,
  TextField,
  ZoneField,
} from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call, isCallError } from '../../../kit/api/call.ts';
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
  type SitePreview,
} from './site.calls.ts';
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
  const form = useForm({
    name: site?.name ?? '',
    parentId: site?.parentId ?? top,
    description: site?.description ?? '',
    segments: site?.segments.join(', ') ?? '',
    autoAssign: site?.autoAssign ?? false,
    downloadMbit: (site?.downloadMbit ?? '') as number | string,
    timeZone: site?.timeZone ?? top,
  });
  const { values, fault } = form;
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
    <FormDialog
      size={560}
      title={site ? t('site.editOne', { name: site.name }) : t('site.add')}
      form={form}
      confirm={t(site ? 'common.save' : 'site.add')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('site.name')} maxLength={64} data-autofocus />
      <SelectField
        form={form}
        name="parentId"
        label={t('site.parent')}
        data={[
          { value: top, label: t('site.top') },
          ...names.filter((n) => !below.has(n.id)).map((n) => ({ value: n.id, label: n.path.join(' / ') })),
        ]}
      />
      <TextField form={form} name="description" label={t('site.description')} maxLength={256} />
      <NumberField
        form={form}
        name="downloadMbit"
        label={t('site.downloadMbit')}
        description={t('site.downloadMbitHint')}
        placeholder={t(values.parentId === top ? 'site.downloadMbitNone' : 'site.downloadMbitParent')}
        clampBehavior="none"
        allowNegative={false}
      />
      <ZoneField
        form={form}
        name="timeZone"
        label={t('site.timeZone')}
        first={[{ value: top, label: t('site.timeZoneCompany') }]}
      />
      <AreaField
        form={form}
        name="segments"
        label={t('site.segments')}
        description={t('site.segmentsHint')}
        maxLength={4096}
        error={fault('segments') || wrong}
        maxRows={6}
        code
      />
      <CheckField form={form} name="autoAssign" label={t('site.autoAssign')} description={t('site.autoAssignHint')} />
      {shown && <Effect preview={shown} move={move} onMove={setMove} />}
    </FormDialog>
  );
}

/** What the segments would change: overlaps with other sites, and devices that would move. */
function Effect({
  preview,
  move,
  onMove,
}: {
  preview: SitePreview;
  /** The devices move as soon as the site is saved. */
  move: boolean;
  onMove: (move: boolean) => void;
}) {
  const { t } = useText();
  const access = useAccess();
  return (
    <div className={css.preview} role="status">
      {preview.overlaps.length > 0 && (
        <>
          <p>{t('site.overlapsOthers')}</p>
          <ul className={css.overlaps}>
            {preview.overlaps.map((o) => (
              <li key={`${o.segment}${o.other}`}>{t('site.overlap', { ...o })}</li>
            ))}
          </ul>
        </>
      )}
      <p>
        <strong>{t('site.wouldMove', { count: preview.total, number: count(preview.total) })}</strong>
      </p>
      {preview.total > 0 && (
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrolled by keys; a role would end the list. */}
          <ul className={css.devices} tabIndex={0} aria-label={t('site.devices')}>
            {preview.devices.map((d) => (
              <li key={d.id}>
                <span className="ellipsis" title={d.name}>
                  {d.name}
                </span>
                <code>{d.ip}</code>
                <span className="ellipsis">{d.from ?? t('device.noSite')}</span>
              </li>
            ))}
          </ul>
          {preview.total > preview.devices.length && (
            <p>
              {t('site.andMore', {
                count: preview.total - preview.devices.length,
                number: count(preview.total - preview.devices.length),
              })}
            </p>
          )}
          {access.can('editDevice') && (
            <Checkbox
              name="move"
              label={t('site.moveNow', { count: preview.total, number: count(preview.total) })}
              checked={move}
              onChange={(e) => onMove(e.currentTarget.checked)}
            />
          )}
        </>
      )}
    </div>
  );
}
