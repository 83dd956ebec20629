import { Controller } from '@nestjs/common';
import { provisioningDeviceConfig, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { FileCopy } from './file-copy.entity.ts';

@Controller()
export class DeviceConfigProjection {
  /** Copies what the templates make for each device. The id of the copy is the device's. */
  @On(provisioningDeviceConfig, ['config'])
  async config(messages: Message<typeof provisioningDeviceConfig>[]): Promise<void> {
    await project(FileCopy, messages, ({ deviceId, version, contentId, fileName, size, sha256 }, { companyId }) => ({
      companyId: companyId!,
      noun: 'deviceConfig' as const,
      file: {
        id: deviceId,
        name: fileName,
        version: 1,
        models: [],
        whole: { fileId: contentId, fileName, size, sha256 },
        made: version,
      },
    }));
  }
}
