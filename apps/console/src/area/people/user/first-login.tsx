import { CopyButton } from '../../../kit/part/copy.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { useText } from '../../../kit/text/use-text.ts';

/** Shows what a user without a mail needs to activate the account. */
export function FirstLogin({ username, password }: { username: string; password: string }) {
  const { t } = useText();
  const copy = (label: string, value: string) => (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 4, overflowWrap: 'anywhere' }}>
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
  const items = [
    [t('user.address'), `${location.origin}/system/activeUser`],
    [t('user.username'), username],
    [t('user.firstPassword'), password],
  ] as const;
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <p>{t('user.tell')}</p>
      <Facts items={items.map(([label, value]) => [label, copy(label, value)])} />
    </div>
  );
}
