import { Controller } from '@nestjs/common';
import { licenseConfig, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { ImportSetting } from '@carillon/service';

/** Copies the operator's setting for importing .csv into every process, because each of them reads files (SYS-11). */
@Controller()
export class ImportSettingConsumer {
  constructor(private readonly setting: ImportSetting) {}

  @On(licenseConfig, ['importCsv'], { mode: 'fanout', from: 'start' })
  async take(messages: Message<typeof licenseConfig>[]): Promise<void> {
    for (const { data } of messages) this.setting.csv = data === true;
  }
}
