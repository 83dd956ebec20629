import { useEffect, useState } from 'react';
import type { getLegalText, Language, RouteOutput } from '@carillon/contracts';
import { CardPage } from '../../people/login/card-page.tsx';
import { ask } from '../../../kit/api/ask.ts';
import { currentLanguage } from '../../../kit/browser/language.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './legal-page.module.css';

await systemTexts();

const path: typeof getLegalText.path = '/api/f/mc/sysConfig/legal/{name}';
type Texts = RouteOutput<typeof getLegalText>;

/** Shows terms of service or privacy policy: the operator's text in this language, else the product's (SHELL-21). */
export function LegalPage({ name }: { name: 'terms' | 'privacy' }) {
  const { t } = useText();
  const [own, setOwn] = useState<Texts>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    ask<Texts>('GET', path.replace('{name}', name)).then(setOwn, () => setFailed(true));
  }, [name]);
  const text = own === undefined ? '' : (own.texts?.[currentLanguage() as Language] ?? t(`legal.${name}`));
  return (
    <CardPage title={t(`legal.${name}.title`)}>
      {failed && <p role="alert">{t('legal.failed')}</p>}
      <div className={css.text} aria-busy={own === undefined && !failed}>
        {text.split(/\n\s*\n/).map((paragraph, i) => (
          <p key={i}>{paragraph}</p>
        ))}
      </div>
      <p>
        <a href="/">{t('legal.back')}</a>
      </p>
    </CardPage>
  );
}
