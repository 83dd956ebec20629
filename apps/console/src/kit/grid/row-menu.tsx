import type { Ref } from 'react';
import { Menu } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import type { GridAction } from './grid.types.ts';

export interface OpenMenu<T> {
  record: T;
  at: HTMLElement;
}

export interface RowMenuProps<T> {
  menu: OpenMenu<T>;
  actions: readonly GridAction<T>[];
  onClose: () => void;
  onOpen: ((record: T) => void) | undefined;
}

/** One menu for all rows, anchored at the button that opened it. */
export default function RowMenu<T>({ menu, actions, onClose, onOpen }: RowMenuProps<T>) {
  const { t } = useText();
  const box = menu.at.getBoundingClientRect();
  return (
    <Menu
      opened
      onClose={() => {
        onClose();
        menu.at.focus();
      }}
      position="bottom-end"
      trapFocus
      returnFocus={false}
    >
      <Menu.Target>
        <Place box={box} />
      </Menu.Target>
      <Menu.Dropdown>
        {onOpen && (
          <Menu.Item leftSection={<IconArrowRight size={15} stroke={1.75} />} onClick={() => onOpen(menu.record)}>
            {t('grid.open')}
          </Menu.Item>
        )}
        {actions
          .filter((a) => a.when?.(menu.record) !== false)
          .map((a) => (
            <Menu.Item
              key={a.key}
              {...(a.danger ? { color: 'danger' } : {})}
              leftSection={a.icon}
              onClick={() => a.onOne(menu.record)}
            >
              {a.label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Anchor of the menu. The button, not this anchor, announces that the menu is open. */
const Place = ({ box, ref }: { box: DOMRect; ref?: Ref<HTMLSpanElement> }) => (
  <span
    ref={ref}
    style={{
      position: 'fixed',
      left: box.left,
      top: box.top,
      width: box.width,
      height: box.height,
      pointerEvents: 'none',
    }}
  />
);
