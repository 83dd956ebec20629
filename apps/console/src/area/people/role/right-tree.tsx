import { Checkbox } from '@mantine/core';
import type { MenuNode } from '@carillon/contracts';
import { rightName } from './right-name.ts';
import css from './role-page.module.css';

const below = (n: MenuNode): string[] => [n.id, ...n.children.flatMap(below)];

/**
 * Picks permissions from the menu tree (ROLE-01). Choosing one inside of a page adds the page, without which it is
 * useless; removing a page removes everything in it.
 */
export function RightTree({
  nodes,
  chosen,
  onChange,
  path = [],
}: {
  nodes: readonly MenuNode[];
  chosen: ReadonlySet<string>;
  onChange: (next: ReadonlySet<string>) => void;
  path?: readonly string[];
}) {
  return (
    <ul className={css.tree}>
      {nodes.map((n) => {
        const all = below(n);
        const some = all.some((id) => chosen.has(id));
        const every = all.every((id) => chosen.has(id));
        const toggle = (on: boolean) => {
          const next = new Set(chosen);
          for (const id of all)
            if (on) next.add(id);
            else next.delete(id);
          if (on) for (const id of path) next.add(id);
          onChange(next);
        };
        return (
          <li key={n.id} data-type={n.type}>
            <Checkbox
              label={rightName(n)}
              checked={every}
              indeterminate={some && !every}
              onChange={() => toggle(!every)}
            />
            {n.children.length > 0 && (
              <RightTree nodes={n.children} chosen={chosen} onChange={onChange} path={[...path, n.id]} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
