import { useState } from 'react';
import { Button, Checkbox, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed } from '../../../kit/grid/states.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { Asked } from './asked.tsx';
import { letPhonesIn, waitingPhonesQuery, type WaitingPhone } from './first-access.calls.ts';
import { useChange } from './use-change.ts';
import css from './first-access.module.css';

/** Lists the company's phones that know only the server's address, and lets them in one by one (DEV-10). */
export default function WaitingPhones({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const phones = useQuery(waitingPhonesQuery());
  const seesRedirects = useGranted('/system/redirectService');
  const { refusal, busy, change } = useChange();
  const [marked, setMarked] = useState<string[]>([]);
  const shown = phones.data ?? [];
  // A phone that no longer waits is not chosen any more.
  const chosen = marked.filter((id) => shown.some((phone) => phone.id === id));
  const row = ({ device, ...ask }: WaitingPhone) => (
    <li key={ask.id}>
      <Checkbox
        aria-label={t('firstAccess.choose', { name: device.name, address: ask.address })}
        checked={chosen.includes(ask.id)}
        onChange={(e) =>
          setMarked(e.currentTarget.checked ? [...chosen, ask.id] : chosen.filter((id) => id !== ask.id))
        }
      />
      <div className={css.phone}>
        <Link className="link" to="/device/deviceDetail" search={{ id: device.id } as never}>
          {device.name}
        </Link>
        <div className="mono">{[macText(device.mac), device.model].join(' · ')}</div>
        <Asked ask={ask} />
      </div>
      <Button
        variant="default"
        size="xs"
        loading={busy === ask.id}
        disabled={busy !== undefined}
        aria-label={t('firstAccess.letInName', { name: device.name, address: ask.address })}
        onClick={() => void change(ask.id, () => letPhonesIn([ask.id]))}
      >
        {t('firstAccess.letIn')}
      </Button>
    </li>
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('firstAccess.waiting')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {phones.isError && !phones.data ? (
        <Failed text={t('firstAccess.failed')} error={phones.error} onRetry={() => void phones.refetch()} />
      ) : (
        <div className={css.part} aria-busy={phones.data === undefined}>
          {phones.data && (
            <p className={css.text}>{t(phones.data.length === 0 ? 'firstAccess.none' : 'firstAccess.text')}</p>
          )}
          <ul className={css.list}>{shown.map(row)}</ul>
          {shown.length > 1 && (
            <div className={css.chosen}>
              <Checkbox
                label={t('firstAccess.chooseAll')}
                checked={chosen.length === shown.length}
                indeterminate={chosen.length > 0 && chosen.length < shown.length}
                onChange={(e) => setMarked(e.currentTarget.checked ? shown.map(({ id }) => id) : [])}
              />
              <Button
                loading={busy === 'chosen'}
                disabled={busy !== undefined || chosen.length === 0}
                onClick={() => void change('chosen', () => letPhonesIn(chosen))}
              >
                {t('firstAccess.letInChosen', { number: count(chosen.length) })}
              </Button>
            </div>
          )}
          <RefusalBox refusal={refusal} />
          {seesRedirects && (
            <Link className="link" to="/system/redirectService" search={{} as never} onClick={onClose}>
              {t('redirectService.link')}
            </Link>
          )}
        </div>
      )}
    </Modal>
  );
}
