import { useText } from '../../../kit/text/use-text.ts';
import { useQuery } from '@tanstack/react-query';
import type { TemplateKey } from '@carillon/contracts/settings';
import { configLocksQuery, type ConfigTemplate } from './config-template.calls.ts';
import { LockNote } from './lock-note.tsx';
import { groupsOf, settingName, valueWords } from './setting-words.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './config-template.module.css';

/** Shows the settings of a template by group, in words. */
export function TemplateSettings({ template: { values, locked, level } }: { template: ConfigTemplate }) {
  const { t } = useText();
  const locks = (useQuery(configLocksQuery()).data ?? []).filter(
    ({ company }) => company !== null || level !== 'general',
  );
  return (
    <section className={part.section} aria-labelledby="template-settings">
      <h2 id="template-settings">{t('configTemplate.settings')}</h2>
      <table className={`${part.table} ${css.values}`}>
        {groupsOf(Object.keys(values)).map(([group, keys]) => (
          <tbody key={group ?? ''}>
            <tr className={css.group}>
              <th colSpan={2} scope="rowgroup">
                {group === undefined ? t('configTemplate.otherSettings') : t(`setting.group.${group}`)}
              </th>
            </tr>
            {keys.map((key) => (
              <tr key={key}>
                <th scope="row">{settingName(key)}</th>
                <td>
                  {valueWords(key, values[key as TemplateKey]!)}
                  {locked.includes(key) && <span className={css.mark}> · {t('configLock.locked')}</span>}
                  {locks
                    .filter((lock) => lock.key === key)
                    .map((lock) => (
                      <LockNote key={lock.key} lock={lock} />
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
