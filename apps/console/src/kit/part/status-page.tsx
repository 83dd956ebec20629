import { Button } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useText } from '../text/use-text.ts';
import { useTitle } from './use-title.ts';
import { Mark } from './mark.tsx';
import css from './status-page.module.css';

/** /404, /403 and /500: what happened, and links onwards. */
export function StatusPage({ code, detail }: { code: '404' | '403' | '500'; detail?: string | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const router = useRouter();
  useTitle(t(`status.${code}.title`));
  return (
    <main className={css.page}>
      <div className={css.box}>
        <Mark size={32} />
        <p className={css.code}>{code}</p>
        <h1 className={css.title}>{t(`status.${code}.title`)}</h1>
        <p className={css.text}>{t(`status.${code}.text`)}</p>
        {detail && (
          <p className={css.detail}>
            <code>{detail}</code>
          </p>
        )}
        <div className={css.actions}>
          <Button onClick={() => navigate({ to: '/wel/home' })}>{t('status.home')}</Button>
          <Button variant="subtle" onClick={() => (code === '500' ? location.reload() : router.history.back())}>
            {t(code === '500' ? 'common.reload' : 'common.back')}
          </Button>
        </div>
      </div>
    </main>
  );
}
