import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** Files that phones and doors load besides their firmware (STORE-03). */
export const resourceFile = defineNoun({
  name: 'resourceFile',
  title: 'Resource files',
  where: {
    does: 'Resource files: language packs, images and ringtones, uploaded in parts, checked by their content',
    folders: ['apps/resource/src/resource-file', 'apps/console/src/area/resource/resource-file'],
  },
  example: { name: 'Example', type: 'ringtone', description: '' },
  upload: { field: 'uploads', name: 'example.txt', text: 'An example.', several: true },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.resourceFiles', path: '/resources/fileLists', icon: 'folder', in: 'resources' },
});

export const resourceFileErrors = defineErrors('resourceFile', {
  narrowed: {
    status: 403,
    en_US: 'Resource files belong to the whole company. Only users who see all organizations can change them.',
    zh_CN: '资源文件属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '리소스 파일은 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Os arquivos de recursos pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and devices of others load these files.',
      'Ask someone who sees all organizations.',
    ],
  },
  inUse: {
    status: 409,
    en_US:
      '{tasks} open {tasks|task brings|tasks bring} this file to devices. Until {tasks|it has ended|they have ended}, the file can’t be deleted or replaced.',
    zh_CN: '有 {tasks} 个未结束的任务正在下发此文件，任务结束前无法删除或替换。',
    ko: '진행 중인 작업 {tasks}개가 이 파일을 장치로 보내고 있습니다. 작업이 끝날 때까지 삭제하거나 교체할 수 없습니다.',
    pt_BR:
      '{tasks} {tasks|tarefa aberta leva|tarefas abertas levam} este arquivo a dispositivos. Até {tasks|ela terminar|elas terminarem}, ele não pode ser excluído nem substituído.',
    help: [
      'A task that has not ended brings the file, or some of its devices still load it.',
      'Wait until the tasks have ended, or stop them; a new file can be added beside this one at any time.',
    ],
  },
});
