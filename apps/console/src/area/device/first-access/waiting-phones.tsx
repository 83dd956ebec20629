import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed } from '../../../kit/grid/states.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { Asked } from './asked.tsx';
import { letPhoneIn, waitingPhonesQuery, type WaitingPhone } from './first-access.calls.ts';
import { useChange } from './use-change.ts';
import css from './first-access.module.css';

/** Lists the company's phones that know only the server's address, and lets them in one by one (DEV-10). */
export default function WaitingPhones({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const phones = useQuery(waitingPhonesQuery());
  const { refusal, busy, change } = useChange();
  const row = ({ device, ...ask }: WaitingPhone) => (
    <li key={ask.id}>
      <div>
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
        onClick={() => void change(ask.id, () => letPhoneIn(ask.id))}
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
          <ul className={css.list}>{phones.data?.map(row)}</ul>
          <RefusalBox refusal={refusal} />
        </div>
      )}
    </Modal>
  );
}
