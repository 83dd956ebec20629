import { useRef, useState } from 'react';
import { Button, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { catalogue } from 'virtual:actions';
import type { TaskRecord } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { stageWaits, waitsForApproval } from '../approval/waits.ts';
import { approveTask, refuseTask, taskQuery } from './one-task.calls.ts';
import css from '../approval/approval.module.css';

/**
 * Shows what a second person is asked about a task, and their answer. `onAsking` reports an open question, during which
 * Escape does not close the drawer. Needs `pageTexts`.
 */
export function TaskApproval({ task, onAsking }: { task: TaskRecord; onAsking: (asking: boolean) => void }) {
  const { t } = useText();
  const { approval } = task;
  if (!approval) return null;
  if (waitsForApproval(task)) return <Waiting task={task} approval={approval} onAsking={onAsking} />;
  const said = { name: approval.by ?? '', when: moment(approval.at) };
  return (
    <div className={css.answered}>
      {approval.state === 'approved' && t('approval.approvedBy', said)}
      {approval.state === 'asked' && t('approval.neverAnswered')}
      {approval.state === 'refused' && (
        <>
          <strong>{t('approval.refusedBy', said)}</strong>
          <p>{approval.reason}</p>
        </>
      )}
    </div>
  );
}

function Waiting({
  task,
  approval,
  onAsking,
}: {
  task: TaskRecord;
  approval: NonNullable<TaskRecord['approval']>;
  onAsking: (asking: boolean) => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const { data: user } = useUser();
  const { busy, refusal, run } = useAction();
  const [refusing, setRefusing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const isOwn = task.creatorId === user?.userId;
  const isStage = stageWaits(task);
  const right = catalogue.find((action) => action.key === task.action)?.right;
  const may = user !== undefined && !isOwn && right !== undefined && access.can('approveTask', right);
  const { devices } = approval;
  const ask = (asking: boolean) => {
    setRefusing(asking);
    onAsking(asking);
    if (!asking) setTimeout(() => opener.current?.focus());
  };
  const answer = async (record: Promise<TaskRecord>) => {
    client.setQueryData(taskQuery(task.id).queryKey, await record);
    void client.invalidateQueries({ queryKey: ['task'] });
  };
  const approve = async (wanted: number) => {
    await run(() => answer(call(approveTask, { params: { id: task.id }, body: { devices: wanted } })));
    // After a refusal, too: another user may have answered, or the devices have changed since.
    void client.invalidateQueries({ queryKey: ['task'] });
  };
  return (
    <section className={css.panel} aria-label={t('approval.approval')}>
      <strong>{t(isStage ? 'approval.stageWaits' : 'approval.state.asked')}</strong>
      {isOwn ? (
        <p>{t(isStage ? 'approval.stageOwn' : 'approval.ownText')}</p>
      ) : (
        devices !== null && (
          <p>
            {t(isStage ? 'approval.stageFor' : 'approval.askedFor', {
              name: task.creatorName,
              count: devices,
              number: count(devices),
            })}
          </p>
        )
      )}
      {may && devices === null && <p>{t('approval.partText')}</p>}
      <span className={css.since}>{t('approval.askedSince', { when: moment(approval.askedAt) })}</span>
      <RefusalBox refusal={refusal} />
      {may && devices !== null && (
        <div className={css.buttons}>
          <Button loading={busy} onClick={() => void approve(devices)}>
            {t('approval.approve')}
          </Button>
          <Button ref={opener} variant="default" disabled={busy} onClick={() => ask(true)}>
            {t('approval.refuse')}
          </Button>
        </div>
      )}
      {refusing && <Refuse task={task} onClose={() => ask(false)} onAnswer={answer} />}
    </section>
  );
}

/** Asks for the reason, which the creator reads. */
function Refuse({
  task,
  onClose,
  onAnswer,
}: {
  task: TaskRecord;
  onClose: () => void;
  onAnswer: (record: Promise<TaskRecord>) => Promise<void>;
}) {
  const { t } = useText();
  const [reason, setReason] = useState('');
  return (
    <AskDialog
      title={t('approval.refuseOne', { name: task.name })}
      text={t(stageWaits(task) ? 'approval.stageRefuseText' : 'approval.refuseText')}
      confirm={t('approval.refuse')}
      danger
      onClose={onClose}
      check={() => (reason.trim() === '' ? t('approval.reasonMissing') : undefined)}
      onConfirm={() => onAnswer(call(refuseTask, { params: { id: task.id }, body: { reason: reason.trim() } }))}
    >
      <Textarea
        name="reason"
        label={t('approval.reason')}
        maxLength={512}
        autosize
        minRows={2}
        value={reason}
        onChange={(e) => setReason(e.currentTarget.value)}
        data-autofocus
      />
    </AskDialog>
  );
}
