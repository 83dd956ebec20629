import { useText } from '../../../kit/text/use-text.ts';
import css from './alarm-page.module.css';

/** Shows a title, which stands out while unread. */
export function Title({ title, read }: { title: string; read: boolean }) {
  const { t } = useText();
  return (
    <span className={read ? undefined : css.unread} title={title}>
      {!read && <span className={css.dot} role="img" aria-label={t('alarm.unread')} />}
      {title}
    </span>
  );
}
