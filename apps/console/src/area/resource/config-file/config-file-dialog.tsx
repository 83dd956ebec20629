import { Modal } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { inDialog } from '../../../kit/upload/upload-form.ts';
import type { ConfigFile } from './config-file.calls.ts';
import { ConfigFileForm } from './config-file-form.tsx';

/** Edits a configuration file over its list. */
export default function ConfigFileDialog({ config, onClose }: { config: ConfigFile; onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('configFile.editOne', { name: config.name })}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <ConfigFileForm config={config} place={inDialog} onDirty={() => undefined} onSaved={onClose} onCancel={onClose} />
    </Modal>
  );
}
