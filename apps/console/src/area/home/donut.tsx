import { count } from '../../kit/text/text.ts';
import type { Share } from './share.ts';
import css from './home-page.module.css';

export const chartColour = (place: number) => (place < 5 ? `var(--chart-${place + 1})` : 'var(--chart-others)');
const radius = 44;
const round = 2 * Math.PI * radius;

/** Draws parts of a whole. The legend beside it is its table, so it is hidden from screen readers. */
export function Donut({ parts, total, unit }: { parts: readonly Share[]; total: number; unit: string }) {
  let before = 0;
  return (
    <svg viewBox="0 0 120 120" className={css.donut} aria-hidden="true">
      {parts.map((p) => {
        const from = (before / total) * round;
        const size = (p.count / total) * round;
        before += p.count;
        // 2 px between parts, but even the smallest part stays visible.
        return (
          <circle
            key={p.name}
            cx="60"
            cy="60"
            r={radius}
            fill="none"
            strokeWidth="15"
            stroke={chartColour(p.place)}
            strokeDasharray={`${Math.max(0.6, size - (parts.length > 1 ? 1.6 : 0))} ${round}`}
            strokeDashoffset={-from}
            transform="rotate(-90 60 60)"
          />
        );
      })}
      <text x="60" y="60" className={css.donutTotal}>
        {count(total)}
      </text>
      <text x="60" y="74" className={css.donutUnit}>
        {unit}
      </text>
    </svg>
  );
}
