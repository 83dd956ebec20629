import { useText } from '../../../kit/text/use-text.ts';
import { onPage } from '../../../kit/upload/upload-form.ts';
import { UploadPage } from '../../../kit/upload/upload-page.tsx';
import { ConfigFileForm } from './config-file-form.tsx';

export function AddConfigFilePage() {
  const { t } = useText();
  return (
    <UploadPage
      right="addConfigFile"
      title={t('configFile.add')}
      list="/resources/configFiles"
      form={(page) => <ConfigFileForm config={undefined} place={onPage} {...page} />}
    />
  );
}
