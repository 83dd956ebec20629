import { IconCircleCheckFilled, IconCircleXFilled, IconHelpCircle } from '@tabler/icons-react';
import { useText } from '../../../kit/text/use-text.ts';
import { actionKeys, actionName } from '../../task/action/actions.tsx';
import { capabilityState } from './capabilities.tsx';
import type { Model } from './model.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './model.module.css';

const glyphs = {
  supported: <IconCircleCheckFilled size={14} aria-hidden />,
  unsupported: <IconCircleXFilled size={14} aria-hidden />,
  unknown: <IconHelpCircle size={14} stroke={1.75} aria-hidden />,
};

/** Shows the picture of a model, its hidden items and what it can do. */
export default function ModelMore({ model }: { model: Model }) {
  const { t } = useText();
  return (
    <>
      {model.picture !== null && (
        <section className={part.section}>
          <img className={css.large} src={model.picture} alt={t('model.picture')} />
        </section>
      )}
      <section className={part.section} aria-labelledby="model-hidden">
        <h2 id="model-hidden">{t('model.hiddenItems')}</h2>
        <p className={part.note}>
          {model.hiddenItems.length === 0
            ? t('model.hiddenNone')
            : model.hiddenItems.map((item) => t(`model.hidden.${item}`)).join(', ')}
        </p>
      </section>
      <section className={part.section} aria-labelledby="model-capabilities">
        <h2 id="model-capabilities">{t('model.capabilities')}</h2>
        <table className={part.table}>
          <thead>
            <tr>
              <th scope="col">{t('model.capability')}</th>
              <th scope="col">{t('model.support')}</th>
            </tr>
          </thead>
          <tbody>
            {actionKeys.map((key) => {
              const state = capabilityState(model.capabilities, key);
              return (
                <tr key={key}>
                  <th scope="row">{actionName(key)}</th>
                  <td>
                    <span className={css.support} data-state={state}>
                      {glyphs[state]}
                      {t(`model.${state}`)}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </>
  );
}
