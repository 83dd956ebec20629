import { Button, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeviceRecord, DeviceTarget } from '@carillon/contracts';
import type { Target } from '../../../kit/grid/selection.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { SelectField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceFilter } from '../record/device.calls.ts';
import { addToDeviceGroup, deviceGroupNamesQuery, groupOptions, removeFromDeviceGroup } from './device-group.calls.ts';
import css from '../../../kit/part/dialog.module.css';

export interface MembersRequest {
  change: 'add' | 'remove';
  target: Target<DeviceFilter>;
  count: number;
  /** Set for a single device: offers the groups of its organization that it is not in, or those that it is in. */
  device?: Pick<DeviceRecord, 'name' | 'orgId' | 'groups'> | undefined;
}

/** Adds one device or all selected ones to a group, or removes them. */
export default function GroupMembers({ request, onClose }: { request: MembersRequest; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data: groups } = useQuery(deviceGroupNamesQuery);
  const form = useForm({ group: '' });
  const { values, refusal, busy } = form;
  const { change, device, target } = request;
  const offered = (groups ?? []).filter(({ id, organization, byRule }) => {
    if (byRule) return false;
    if (device === undefined) return true;
    const isIn = device.groups.some((g) => g.id === id);
    return change === 'remove' ? isIn : !isIn && organization?.id === device.orgId;
  });
  const save = async () => {
    const name = groups!.find((g) => g.id === values.group)!.name;
    const asked = { params: { id: values.group }, body: target as DeviceTarget };
    const changed =
      change === 'add'
        ? (await call(addToDeviceGroup, asked)).added
        : (await call(removeFromDeviceGroup, asked)).removed;
    await client.invalidateQueries({ queryKey: ['device'] });
    await client.invalidateQueries({ queryKey: ['deviceGroup'] });
    onClose();
    const words = { name, count: changed, number: count(changed) };
    showToast(change === 'add' ? t('deviceGroup.added', words) : t('deviceGroup.removed', words));
  };
  const title = device
    ? t(`deviceGroup.${change}One`, { name: device.name })
    : t(`deviceGroup.${change}Many`, { count: request.count, number: count(request.count) });
  // Waits, because replacing the field by a sentence would lose the focus.
  if (groups === undefined) return null;
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <form
        onSubmit={form.submit(() => (values.group === '' ? { group: t('deviceGroup.missing') } : {}), save)}
        noValidate
      >
        {offered.length === 0 ? (
          <p className={css.effect}>
            {t(groups.length === 0 ? 'deviceGroup.noneToChoose' : `deviceGroup.${change}None`)}
          </p>
        ) : (
          <SelectField
            form={form}
            name="group"
            label={t('deviceGroup.one')}
            data={groupOptions(offered)}
            openOnFocus={false}
            data-autofocus
          />
        )}
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t(offered.length === 0 ? 'common.close' : 'common.cancel')}
          </Button>
          {offered.length !== 0 && (
            <Button type="submit" loading={busy}>
              {t(`deviceGroup.${change}Confirm`)}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  );
}
