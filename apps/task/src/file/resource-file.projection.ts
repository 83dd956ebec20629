import { Controller } from '@nestjs/common';
import { resourceFileState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { FileCopy } from './file-copy.entity.ts';

@Controller()
export class ResourceFileProjection {
  @On(resourceFileState, ['resourceFile'])
  async resourceFile(messages: Message<typeof resourceFileState>[]): Promise<void> {
    await project(FileCopy, messages, ({ id, name, type, files }, { companyId }) => ({
      companyId: companyId!,
      noun: 'resourceFile' as const,
      file: { id, name, type, files },
    }));
  }
}
