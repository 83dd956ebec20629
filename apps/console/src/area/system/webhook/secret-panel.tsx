import { Button } from '@mantine/core';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../../../kit/part/dialog.module.css';
import own from './webhook.module.css';

/** Shows the secret once. */
export function SecretPanel({ secret, text, onClose }: { secret: string; text: string; onClose: () => void }) {
  const { t } = useText();
  return (
    <>
      <p className={css.effect}>{text}</p>
      <div className={own.secret}>
        <code>{secret}</code>
        <CopyButton value={secret} label={t('webhook.secret')} />
      </div>
      <div className={css.buttons}>
        <Button data-autofocus onClick={onClose}>
          {t('webhook.kept')}
        </Button>
      </div>
    </>
  );
}
