import { useEffect, useState, type ReactNode, type SubmitEventHandler } from 'react';
import { useText } from '../text/use-text.ts';
import { knownSettings, settings } from '../session/settings.ts';
import { FieldError } from '../part/field-error.tsx';
import { Mark } from '../part/mark.tsx';
import { useTitle } from '../part/use-title.ts';
import { Bars } from './bars.tsx';
import { LoginChoices } from './login-choices.tsx';
import css from './login-page.module.css';

export interface Refusal { text: string; requestId?: string | undefined }

/** The frame of what is shown outside of the main layout: one form, or a word, on a card before the hanging bars. */
export function CardPage({ title, lead, onSubmit, children }: { title: string; lead?: ReactNode; onSubmit?: SubmitEventHandler<HTMLFormElement>; children: ReactNode }) {
  const { t } = useText();
  const [product, setProduct] = useState(knownSettings());
  useTitle(title);
  useEffect(() => { settings().then(setProduct, () => {}); }, []);
  const inside = (
    <>
      <p className={css.brand}><Mark size={28} /><span>{product?.productName ?? 'Carillon'}</span></p>
      <h1 id="card-title" className={css.title}>{title}</h1>
      {lead !== undefined && <p className={css.lead}>{lead}</p>}
      {children}
    </>
  );
  return (
    <div className={css.page}>
      {product?.loginImage ? <img src={product.loginImage} alt="" className={css.bars} /> : <Bars />}
      <LoginChoices />
      <main className={css.middle}>
        {onSubmit ? <form className={css.card} onSubmit={onSubmit} noValidate aria-labelledby="card-title">{inside}</form> : <section className={css.card} aria-labelledby="card-title">{inside}</section>}
      </main>
      <footer className={css.foot}>{product?.copyright ?? t('login.copyright', { year: 2026, product: product?.productName ?? 'Carillon' })}</footer>
    </div>
  );
}

/** Why the server refused a form. */
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
