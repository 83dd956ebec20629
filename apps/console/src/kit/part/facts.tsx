import type { ReactNode } from 'react';
import css from './facts.module.css';

/** A list of names and values; a missing value is a dash. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === '' ? '–' : (value ?? '–')}</dd>
        </div>
      ))}
    </dl>
  );
}
