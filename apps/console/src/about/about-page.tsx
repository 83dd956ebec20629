import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../text/use-text.ts';
import { CopyButton } from '../part/copy.tsx';
import { Facts } from '../part/facts.tsx';
import { Mark } from '../part/mark.tsx';
import { settings } from '../session/settings.ts';
import { currentLanguage } from '../text/language.ts';
import { zoneName } from '../text/time.ts';
import css from './about-page.module.css';

/** What runs here: versions, and where its manuals and release notes are (SHELL-21). */
export function AboutPage() {
  const { t } = useText();
  const { data } = useQuery({ queryKey: ['session', 'about'], queryFn: settings, staleTime: Number.POSITIVE_INFINITY });
  const version = data?.version ?? '–';
  const facts = [[t('about.version'), version], [t('about.address'), location.host], [t('about.browser'), navigator.userAgent], [t('shell.language'), currentLanguage()], [t('about.zone'), zoneName()]] as const;
  return (
    <div className={css.page}>
      <header className={css.head}><Mark size={40} /><div><h1>{data?.productName ?? ''}</h1><p>{t('about.text')}</p></div></header>
      <section className={css.box}>
        <div className={css.title}><h2>{t('about.installation')}</h2><CopyButton label={t('about.installation')} value={facts.map(([name, value]) => `${name}: ${value}`).join('\n')} /></div>
        <Facts items={facts} />
      </section>
      <section className={css.box}>
        <h2>{t('about.manuals')}</h2>
        <div className={css.links}>
          <Button component="a" variant="default" href="/api/docs" target="_blank" rel="noreferrer" rightSection={<IconExternalLink size={14} stroke={1.75} aria-hidden />}>{t('about.api')}</Button>
        </div>
      </section>
    </div>
  );
}
