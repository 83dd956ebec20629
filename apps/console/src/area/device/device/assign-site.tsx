import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import type { Target } from '../../../kit/grid/selection.ts';
import { call } from '../../../kit/api/call.ts';
import { addDeviceChange } from '../device-change/device-change.calls.ts';
import { placeDevices, siteNamesQuery } from '../site/site.calls.ts';
import { confirmMove, type Moved } from './moved.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { type DeviceFilter, deviceChangesQuery } from '../record/device.calls.ts';

export interface SiteRequest {
  target: Target<DeviceFilter>;
  count: number;
  name?: string;
  site?: string | undefined;
}
const atOnce = 1_000;
const none = '-';

/** Moves one device or all selected ones to a site, or out of theirs. */
export default function AssignSite({ request, onClose }: { request: SiteRequest; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data: sites } = useQuery(siteNamesQuery());
  const form = useForm({ site: request.site ?? '' });
  const { values, busy } = form;
  const [placed, setPlaced] = useState(0);
  const save = async () => {
    const to = values.site === none ? null : values.site;
    if (!('ids' in request.target)) {
      await call(addDeviceChange, { body: { target: request.target, set: { siteId: to } } });
      await client.invalidateQueries(deviceChangesQuery);
      onClose();
      return;
    }
    const { ids } = request.target;
    const moved: Moved[] = [];
    for (let at = 0; at < ids.length; at += atOnce) {
      moved.push(...(await call(placeDevices, { body: { siteId: to, ids: ids.slice(at, at + atOnce) } })).from);
      setPlaced(Math.min(ids.length, at + atOnce));
    }
    await client.invalidateQueries({ queryKey: ['device'] });
    onClose();
    const place = sites?.find((s) => s.id === to)?.path.join(' / ') ?? '';
    await confirmMove(client, to === null ? undefined : place, moved, request.name, ids.length);
  };
  return (
    <FormDialog
      title={
        request.name === undefined
          ? t('site.assignMany', { count: request.count, number: count(request.count) })
          : t('site.assignOne', { name: request.name })
      }
      form={form}
      confirm={t('common.save')}
      onSubmit={form.submit(() => (values.site === '' ? { site: t('site.missing') } : {}), save)}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="site"
        label={t('device.site')}
        data={[
          { value: none, label: t('device.noSite') },
          ...(sites ?? []).map((s) => ({ value: s.id, label: s.path.join(' / ') })),
        ]}
        openOnFocus={false}
        data-autofocus
      />
      {busy && request.count > atOnce && (
        <p role="status">{t('site.assignProgress', { done: count(placed), total: count(request.count) })}</p>
      )}
    </FormDialog>
  );
}
