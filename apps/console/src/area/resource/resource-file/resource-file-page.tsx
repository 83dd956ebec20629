import { useText } from '../../../kit/text/use-text.ts';
import { onPage } from '../../../kit/upload/upload-form.ts';
import { UploadPage } from '../../../kit/upload/upload-page.tsx';
import { ResourceFileForm } from './resource-file-form.tsx';

export function AddResourceFilePage() {
  const { t } = useText();
  return (
    <UploadPage
      right="addResourceFile"
      title={t('resourceFile.add')}
      list="/resources/fileLists"
      form={(page) => <ResourceFileForm resource={undefined} place={onPage} {...page} />}
    />
  );
}
