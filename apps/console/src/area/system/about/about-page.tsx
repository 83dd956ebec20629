import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { Mark } from '../../../kit/part/mark.tsx';
import { headers } from '../../../kit/session/session.ts';
import { settings } from '../../../kit/session/settings.ts';
import { currentLanguage } from '../../../kit/browser/language.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { zoneName } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './about-page.module.css';

await systemTexts();

const manual = ['devices', 'people', 'tasks', 'log'] as const;
/** The changes of each version, newest first. */
const releases = [{ version: '0.1.0', notes: ['installation', 'time', 'access', 'devices'] }] as const;
const documents = [
  ['api', '/api/docs'],
  ['openapi', '/api/openapi.json'],
  ['events', '/api/asyncapi.json'],
  ['changelog', '/api/docs#changes'],
] as const;

/** Shows versions, manuals, release notes and the legal texts (SHELL-21). */
export function AboutPage() {
  const { t } = useText();
  const { data } = useQuery({ queryKey: ['session', 'about'], queryFn: settings, staleTime: Number.POSITIVE_INFINITY });
  const { data: api } = useQuery({
    queryKey: ['session', 'api'],
    queryFn: async () =>
      (await (await fetch('/api/openapi.json', { headers: await headers() })).json()) as {
        info: { version: string };
        openapi: string;
      },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const version = data?.version ?? '–';
  const facts = [
    [t('about.version'), version],
    [t('about.interface'), api ? `${api.info.version} (OpenAPI ${api.openapi})` : '–'],
    [t('about.address'), location.host],
    [t('about.browser'), navigator.userAgent],
    [t('shell.language'), currentLanguage()],
    [t('about.timeDatabase'), zoneName()],
  ] as const;
  const outside = (key: string, href: string, label: string) => (
    <Button
      key={key}
      component="a"
      variant="default"
      href={href}
      target="_blank"
      rel="noreferrer"
      rightSection={<IconExternalLink size={14} stroke={1.75} aria-hidden />}
    >
      {label}
    </Button>
  );
  return (
    <div className={css.page}>
      <header className={css.head}>
        <Mark size={40} />
        <div>
          <h1>{data?.productName ?? t('about.title')}</h1>
          <p>{t('about.text')}</p>
        </div>
      </header>
      <section className={css.box}>
        <div className={css.title}>
          <h2>{t('about.installation')}</h2>
          <CopyButton
            label={t('about.installation')}
            value={facts.map(([name, value]) => `${name}: ${value}`).join('\n')}
          />
        </div>
        <Facts items={facts} />
      </section>
      <section className={css.box}>
        <h2>{t('about.manuals')}</h2>
        {manual.map((name) => (
          <details key={name} className={css.manual}>
            <summary>{t(`about.manual.${name}`)}</summary>
            <p>{t(`about.manual.${name}Text`)}</p>
          </details>
        ))}
        <div className={css.links}>{documents.map(([key, href]) => outside(key, href, t(`about.${key}`)))}</div>
      </section>
      <section className={css.box}>
        <h2>{t('about.releaseNotes')}</h2>
        {releases.map((release) => (
          <div key={release.version} data-release={release.version}>
            <h3>{release.version}</h3>
            <ul>
              {release.notes.map((note) => (
                <li key={note}>{t(`about.release.${note}`)}</li>
              ))}
            </ul>
          </div>
        ))}
      </section>
      <section className={css.box}>
        <h2>{t('about.legal')}</h2>
        <div className={css.links}>
          {outside('terms', '/terms', t('legal.terms.title'))}
          {outside('privacy', '/privacy', t('legal.privacy.title'))}
        </div>
      </section>
    </div>
  );
}
