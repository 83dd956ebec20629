import { Modal } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Failed } from '../../../kit/grid/states.tsx';
import { call, remote } from '../../../kit/api/call.ts';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './mac-disputes.module.css';

const list = remote('listUnclaimedPhones', 'GET /api/f/provisioning/unclaimedPhone/list');
const phonesQuery = () =>
  queryOptions({
    queryKey: ['unclaimedPhone'],
    queryFn: ({ signal }) => call(list, {}, { signal }),
    staleTime: 0,
    refetchInterval: 15_000,
  });

/** Lists phones that ask for a configuration and whose MAC no company has (DEV-10). */
export default function UnclaimedPhones({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const phones = useQuery(phonesQuery());
  const { data } = phones;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('unclaimedPhone.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {phones.isError && !data ? (
        <Failed text={t('unclaimedPhone.failed')} error={phones.error} onRetry={() => void phones.refetch()} />
      ) : (
        <p className={css.text} aria-busy={data === undefined}>
          {data && t(data.length === 0 ? 'unclaimedPhone.none' : 'unclaimedPhone.text')}
        </p>
      )}
      <ul className={css.list}>
        {data?.map(({ mac, userAgent, address, lastAt }) => (
          <li key={mac}>
            <code>{macText(mac)}</code>
            <p>{userAgent}</p>
            <p>{t('unclaimedPhone.asked', { address, when: moment(lastAt) })}</p>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
