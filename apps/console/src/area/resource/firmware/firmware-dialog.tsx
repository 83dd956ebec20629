import { Modal } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { inDialog } from '../../../kit/upload/upload-form.ts';
import type { Firmware } from './firmware.calls.ts';
import { FirmwareForm } from './firmware-form.tsx';

/** Edits firmware over its list. */
export default function FirmwareDialog({ firmware, onClose }: { firmware: Firmware; onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('firmware.editOne', { name: `${firmware.name} ${firmware.version}` })}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <FirmwareForm
        firmware={firmware}
        place={inDialog}
        onDirty={() => undefined}
        onSaved={onClose}
        onCancel={onClose}
      />
    </Modal>
  );
}
