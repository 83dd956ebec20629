import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { Fcs } from './fcs.calls.ts';
import css from './fcs-note.module.css';

/** Shows how much of FCS the company uses, and what prevents more. */
export function FcsNote({ fcs, inForm = false }: { fcs: Fcs; inForm?: boolean }) {
  const { t } = useText();
  const { enabled, limit, used, url, domain, servers } = fcs;
  const hint = !enabled
    ? t(used > 0 ? 'fcs.offKept' : 'fcs.off')
    : servers.length === 0
      ? t('fcs.noServer')
      : used >= limit
        ? t('fcs.full')
        : undefined;
  return (
    <div className={`${css.note} ${inForm ? css.inForm : ''}`} role="note">
      {(enabled || used > 0) && <strong>{t('fcs.used', { used: count(used), limit: count(limit) })}</strong>}
      {domain !== '' && <span>{t('fcs.domain', { domain })}</span>}
      {url !== '' && (
        <a href={url} target="_blank" rel="noreferrer">
          {t('fcs.service')}
        </a>
      )}
      {hint !== undefined && <p>{hint}</p>}
    </div>
  );
}
