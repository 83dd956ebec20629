import { useEffect, useState, type ReactNode, type SubmitEventHandler } from 'react';
import { useText } from '../../../kit/text/use-text.ts';
import { knownSettings, product, settings } from '../../../kit/session/settings.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { Mark } from '../../../kit/part/mark.tsx';
import type { Refusal } from '../../../kit/part/refusal.ts';
import { useTitle } from '../../../kit/part/use-title.ts';
import { Bars } from './bars.tsx';
import { LoginChoices } from './login-choices.tsx';
import css from './login-page.module.css';

/** The frame of pages outside of the main layout: one form or message on a card in front of the hanging bars. */
export function CardPage({
  title,
  lead,
  onSubmit,
  children,
}: {
  title: string;
  lead?: ReactNode;
  onSubmit?: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
}) {
  const { t } = useText();
  const [known, setKnown] = useState(knownSettings());
  useTitle(title);
  useEffect(() => {
    settings().then(setKnown, () => {});
  }, []);
  const name = known?.productName ?? product.name;
  const inside = (
    <>
      <p className={css.brand}>
        <Mark size={28} />
        <span>{name}</span>
      </p>
      <h1 id="card-title" className={css.title}>
        {title}
      </h1>
      {lead !== undefined && <p className={css.lead}>{lead}</p>}
      {children}
    </>
  );
  return (
    <div className={css.page}>
      {known?.loginImage ? <img src={known.loginImage} alt="" className={css.bars} /> : <Bars />}
      <LoginChoices />
      <main className={css.middle}>
        {onSubmit ? (
          <form className={css.card} onSubmit={onSubmit} noValidate aria-labelledby="card-title">
            {inside}
          </form>
        ) : (
          <section className={css.card} aria-labelledby="card-title">
            {inside}
          </section>
        )}
      </main>
      <footer className={css.foot}>
        {known?.copyright ?? t('login.copyright', { year: product.year, product: name })}
      </footer>
    </div>
  );
}

/** Shows why the server refused a form. */
export function RefusalNote({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useText();
  if (refusal === undefined) return null;
  return (
    <div role="alert" className={css.refusal}>
      <FieldError text={refusal.text} />
      {refusal.requestId && <span className={css.request}>{t('common.request', { id: refusal.requestId })}</span>}
    </div>
  );
}
