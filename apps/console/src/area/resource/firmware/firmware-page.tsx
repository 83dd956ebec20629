import { useText } from '../../../kit/text/use-text.ts';
import { onPage } from '../../../kit/upload/upload-form.ts';
import { UploadPage } from '../../../kit/upload/upload-page.tsx';
import { FirmwareForm } from './firmware-form.tsx';

export function AddFirmwarePage() {
  const { t } = useText();
  return (
    <UploadPage
      right="addFirmware"
      title={t('firmware.add')}
      list="/resources/firmwares"
      form={(page) => <FirmwareForm firmware={undefined} place={onPage} {...page} />}
    />
  );
}
