import { Drawer } from '@mantine/core';
import { useText } from '../../kit/text/use-text.ts';
import { Sidebar } from './sidebar.tsx';

/** The menu of a small screen; it closes after a choice (SHELL-08). */
export default function MenuDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="left"
      size={300}
      title={t('shell.menu')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Sidebar collapsed={false} onPick={onClose} />
    </Drawer>
  );
}
