import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy } from '../../../kit/part/lazy.tsx';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { templateVersionsQuery, type ConfigTemplate, type TemplateVersion } from './config-template.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import own from './config-template.module.css';

/** Number of versions that are shown at first. */
const few = 5;
const TemplateVersionDialog = lazy(() => import('./template-version-dialog.tsx'));

/** Lists the versions of a template with author and reason; each opens beside the current one (CFG-04). */
export function TemplateVersions({ template }: { template: ConfigTemplate }) {
  const { t } = useText();
  const [opened, setOpened] = useState<number>();
  const [all, setAll] = useState(false);
  const { data, isPending, isError } = useQuery(templateVersionsQuery(template.id));
  const records = data?.records ?? [];
  return (
    <section className={`${part.section} ${own.versions}`} aria-labelledby="template-versions">
      <h2 id="template-versions">{t('configVersion.versions')}</h2>
      {isError ? (
        <p className={part.note}>{t('configVersion.unknown')}</p>
      ) : (
        <table className={part.table} aria-busy={isPending}>
          <thead>
            <tr>
              <th scope="col">{t('configTemplate.version')}</th>
              <th scope="col">{t('configVersion.madeAt')}</th>
              <th scope="col">{t('configVersion.author')}</th>
              <th scope="col">{t('configVersion.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {(all ? records : records.slice(0, few)).map((version) => (
              <tr key={version.version}>
                <th scope="row">
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={t('configVersion.open', { version: version.version })}
                    onClick={() => setOpened(version.version)}
                  >
                    {version.version}
                  </Button>
                </th>
                <td>
                  <time dateTime={version.madeAt}>{moment(version.madeAt)}</time>
                </td>
                <td>{version.author === '' ? '–' : version.author}</td>
                <td>
                  <Reason version={version} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!all && records.length > few && (
        <Button variant="default" size="xs" onClick={() => setAll(true)}>
          {t('configVersion.all', { number: count(records.length) })}
        </Button>
      )}
      {opened !== undefined && (
        <TemplateVersionDialog
          template={template}
          versions={records}
          first={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

/** Shows why a version was made, and which one it took again. */
function Reason({ version: { backTo, reason } }: { version: TemplateVersion }) {
  const { t } = useText();
  const back = backTo === null ? '' : t('configVersion.backTo', { version: backTo });
  return <>{[back, reason].filter((text) => text !== '').join(' · ') || '–'}</>;
}
