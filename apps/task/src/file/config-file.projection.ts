import { Controller } from '@nestjs/common';
import { configFileState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { FileCopy } from './file-copy.entity.ts';

@Controller()
export class ConfigFileProjection {
  @On(configFileState, ['configFile'])
  async configFile(messages: Message<typeof configFileState>[]): Promise<void> {
    await project(FileCopy, messages, ({ id, name, version, models, ...whole }, { companyId }) => ({
      companyId: companyId!,
      noun: 'configFile' as const,
      file: { id, name, version, models, whole },
    }));
  }
}
