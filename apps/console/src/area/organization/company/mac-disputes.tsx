import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './mac-disputes.module.css';

const list = remote('listMacDisputes', 'GET /api/f/device/macDispute/list');
const settle = remote('settleMac', 'POST /api/f/device/macDispute/settle');
const disputesQuery = () =>
  queryOptions({
    queryKey: ['macDispute'],
    queryFn: ({ signal }) => call(list, {}, { signal }),
    staleTime: 0,
  });

/** Lists MACs that one company has and another wants; the super administrator decides about each. */
export default function MacDisputes({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const disputes = useQuery(disputesQuery()).data;
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState<string>();
  const give = async (mac: string, to: { id: string; name: string }) => {
    setRefusal(undefined);
    setBusy(`${mac} ${to.id}`);
    try {
      await call(settle, { body: { mac, companyId: to.id } });
      await client.invalidateQueries({ queryKey: ['macDispute'] });
      await done('saved', { name: macText(mac) });
    } catch (e) {
      setRefusal(refusalOf(e));
    } finally {
      setBusy(undefined);
    }
  };
  const button = (mac: string, to: { id: string; name: string }, text: 'keep' | 'give') => (
    <Button
      variant="default"
      size="xs"
      loading={busy === `${mac} ${to.id}`}
      disabled={busy !== undefined}
      onClick={() => void give(mac, to)}
    >
      {t(`macDispute.${text}`, { name: to.name })}
    </Button>
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('macDispute.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <p className={css.text}>{t(disputes?.length === 0 ? 'macDispute.none' : 'macDispute.text')}</p>
      <ul className={css.list}>
        {(disputes ?? []).map(({ mac, holder, claims }) => (
          <li key={mac}>
            <code>{macText(mac)}</code>
            {holder && (
              <p>
                <span>
                  {t(holder.connected ? 'macDispute.holdsUsed' : 'macDispute.holds', {
                    name: holder.name,
                    time: moment(holder.since),
                  })}
                </span>
                {button(mac, holder, 'keep')}
              </p>
            )}
            {claims.map((claim) => (
              <p key={claim.id}>
                <span>
                  {t(claim.proof === 'claim' ? 'macDispute.proved' : 'macDispute.claims', {
                    name: claim.name,
                    model: claim.model,
                    time: moment(claim.at),
                  })}
                </span>
                {button(mac, claim, 'give')}
              </p>
            ))}
          </li>
        ))}
      </ul>
      <RefusalBox refusal={refusal} />
    </Modal>
  );
}
