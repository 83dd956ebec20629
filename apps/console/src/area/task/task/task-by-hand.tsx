import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { TaskDeviceRecord, TaskRecord } from '@carillon/contracts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { reportTaskDevices } from './one-task.calls.ts';
import css from './task-drawer.module.css';

/**
 * Asks before a device that waits, or that got its command and reports nothing more, is marked as done by hand
 * (TASK-03): a final state never changes.
 */
export function TaskByHand({
  task,
  device,
  onClose,
}: {
  task: TaskRecord;
  device: TaskDeviceRecord;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const { busy, refusal, run } = useAction();
  const go = async () => {
    await run(async () => {
      await call(reportTaskDevices, { params: { id: task.id }, body: { deviceIds: [device.deviceId] } });
      onClose();
    });
    void client.invalidateQueries({ queryKey: ['task'] });
    void client.invalidateQueries({ queryKey: ['taskDevice'] });
  };
  return (
    <Modal opened onClose={onClose} title={t('taskWait.byHandTitle', { name: device.name })} withCloseButton={false}>
      <p className={css.text}>
        {t('taskWait.byHandText')}
        {device.status !== 'wait' && ` ${t('taskWait.byHandTold')}`}
      </p>
      <RefusalBox refusal={refusal} />
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common.cancel')}
        </Button>
        <Button loading={busy} onClick={() => void go()}>
          {t('taskWait.byHandGo')}
        </Button>
      </div>
    </Modal>
  );
}
