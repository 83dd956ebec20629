import type { ReactNode } from 'react';
import { Drawer } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useText } from '../text/use-text.ts';
import { useBeside } from './beside.ts';

/**
 * A drawer beside a list that stays usable: if there is space, it does not trap the focus and covers nothing. Esc
 * closes it only when no dialog is above it; otherwise one Esc would close both and lose the focus.
 */
export function SideDrawer({
  title,
  size = 480,
  onClose,
  children,
  ...named
}: {
  title: ReactNode;
  size?: number;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useText();
  const { covers, content, ref } = useBeside();
  useWindowEvent(
    'keydown',
    (event) => {
      const inner = event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation');
      if (event.key !== 'Escape' || inner === 'true') return;
      const top = [...document.querySelectorAll('[role=dialog]')].at(-1);
      if (top?.contains(content.current)) onClose();
    },
    { capture: true },
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      size={size}
      title={title}
      trapFocus={covers}
      withOverlay={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      {...named}
    >
      <div ref={ref}>{children}</div>
    </Drawer>
  );
}
