import { useState } from 'react';
import { useText } from '../../../kit/text/use-text.ts';
import css from './config-page.module.css';

/** Says beside the button that it was saved, until something is changed. */
export function useSaved(): { told: () => void; forget: () => void; note: React.ReactNode } {
  const { t } = useText();
  const [saved, setSaved] = useState(false);
  return {
    told: () => setSaved(true),
    forget: () => setSaved(false),
    note: (
      <span role="status" className={css.done}>
        {saved && t('config.saved')}
      </span>
    ),
  };
}
