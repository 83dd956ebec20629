import { Controller } from '@nestjs/common';
import type { Firmware } from '@carillon/actions';
import { firmwareState, type EventData, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { currentDatabase, platform } from '@carillon/persistence';
import { FirmwareCopy, OfficialFirmwareCopy } from './firmware-copy.entity.ts';

type FirmwareState = EventData<typeof firmwareState, 'firmware'>;

const fileOf = ({
  id,
  name,
  version,
  models,
  least,
  signedBy,
  endorsements,
  deltas,
  damaged,
  ...part
}: FirmwareState): Firmware => ({
  id,
  name,
  version,
  models,
  least,
  whole: partOf(part),
  deltas: deltas.map(({ from, format, ...delta }) => ({ from, format, ...partOf(delta) })),
  signedBy,
  endorsements,
  ...(damaged ? { damaged } : {}),
});
const partOf = ({ fileId, fileName, size, sha256, signature }: Firmware['whole']): Firmware['whole'] => ({
  fileId,
  fileName,
  size,
  sha256,
  signature,
});

@Controller()
export class FirmwareProjection {
  @On(firmwareState, ['firmware'])
  async firmware(messages: Message<typeof firmwareState>[]): Promise<void> {
    const companyId = messages[0]!.companyId;
    if (companyId === null)
      await platform(currentDatabase(), 'official firmware is every company’s', () =>
        project(OfficialFirmwareCopy, messages, (firmware) => ({ file: fileOf(firmware) })),
      );
    else await project(FirmwareCopy, messages, (firmware) => ({ companyId, file: fileOf(firmware) }));
  }
}
