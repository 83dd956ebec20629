import { useText } from '../../../kit/text/use-text.ts';
import type { ConfigTemplate } from './config-template.calls.ts';
import { groupsOf, settingName, valueWords } from './setting-words.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './config-template.module.css';

/** Shows the settings of a template by group, in words. */
export function TemplateSettings({ values }: Pick<ConfigTemplate, 'values'>) {
  const { t } = useText();
  return (
    <section className={part.section} aria-labelledby="template-settings">
      <h2 id="template-settings">{t('configTemplate.settings')}</h2>
      <table className={part.table}>
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
                <td>{valueWords(key, values[key]!)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
