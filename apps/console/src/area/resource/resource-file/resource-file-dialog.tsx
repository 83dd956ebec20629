import { Modal } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { inDialog } from '../../../kit/upload/upload-form.ts';
import type { ResourceFile } from './resource-file.calls.ts';
import { ResourceFileForm } from './resource-file-form.tsx';

/** Edits a resource file over its list. */
export default function ResourceFileDialog({ resource, onClose }: { resource: ResourceFile; onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('resourceFile.editOne', { name: resource.name })}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <ResourceFileForm
        resource={resource}
        place={inDialog}
        onDirty={() => undefined}
        onSaved={onClose}
        onCancel={onClose}
      />
    </Modal>
  );
}
