import { useRef, useState } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../../kit/text/use-text.ts';
import type { Target } from '../../../kit/grid/selection.ts';
import { call } from '../../../kit/api/call.ts';
import { useDeleted } from '../../../kit/part/deleted.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { count } from '../../../kit/text/text.ts';
import { addDeviceDeletion } from '../device-change/device-change.calls.ts';
import { deleteDevices, restoreDevices } from '../record/device-change.calls.ts';
import { type DeviceFilter, deviceChangesQuery } from '../record/device.calls.ts';
import css from '../../../kit/part/dialog.module.css';

export interface DeleteRequest {
  target: Target<DeviceFilter>;
  count: number;
  name?: string;
}
/** How many ids fit into the URL of a call, and into the body of one. */
const atOnce = 100;
const backAtOnce = 1000;

/**
 * Names the effect and the number. For several devices the user types the number, because it can be undone only for a
 * moment (design, section 7).
 */
export default function DeleteDevices({
  request,
  onClose,
  onDone,
}: {
  request: DeleteRequest;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [done, setDone] = useState<number>();
  const [refusal, setRefusal] = useState<Refusal>();
  const deleted = useDeleted();
  const stopped = useRef(false);
  const many = request.count > 1;
  const number = count(request.count);
  const agreed = !many || typed.replaceAll(/\D/g, '') === String(request.count);
  async function remove() {
    if (!agreed) return;
    setDone(0);
    const gone: string[] = [];
    setRefusal(undefined);
    try {
      if (!('ids' in request.target)) {
        await call(addDeviceDeletion, { body: { target: request.target } });
        await client.invalidateQueries(deviceChangesQuery);
        onDone();
        return;
      }
      const { ids } = request.target;
      for (let at = 0; at < ids.length && !stopped.current; at += atOnce) {
        const { deleted: some } = await call(deleteDevices, { query: { ids: ids.slice(at, at + atOnce) } });
        gone.push(...ids.slice(at, at + atOnce));
        setDone((n) => (n ?? 0) + some);
      }
      onDone();
    } catch (e) {
      setRefusal(refusalOf(e));
      setDone(undefined);
    }
    // Also offers the undo for devices that were deleted before a failure.
    let [at, restored] = [0, 0];
    if (gone.length > 0)
      await deleted(
        many || request.name === undefined
          ? { what: 'device', many: gone.length }
          : { what: 'device', name: request.name },
        async () => {
          for (; at < gone.length; at += backAtOnce)
            restored += (await call(restoreDevices, { body: { ids: gone.slice(at, at + backAtOnce) } })).restored;
          await client.invalidateQueries({ queryKey: ['device'] });
          return { restored };
        },
      );
    await client.invalidateQueries({ queryKey: ['device'] });
  }
  const close = () => {
    stopped.current = true;
    onClose();
  };
  const title =
    many || request.name === undefined
      ? t('device.deleteConfirm', { count: request.count, number })
      : t('device.deleteOne', { name: request.name });
  return (
    <Modal opened onClose={close} title={title} withCloseButton={false}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void remove();
        }}
      >
        <p className={css.effect}>{t('device.deleteText', { count: request.count })}</p>
        {many && (
          <TextInput
            className={css.param}
            name="count"
            label={t('common.typeCount', { number })}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
            data-autofocus
          />
        )}
        {many && done !== undefined && (
          <p role="status">{t('device.deleteProgress', { done: count(done), total: number })}</p>
        )}
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={close} {...(many ? {} : { 'data-autofocus': true })}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" color="danger" loading={done !== undefined} disabled={!agreed}>
            {title}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
