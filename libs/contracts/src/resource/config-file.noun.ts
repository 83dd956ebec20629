import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** Configuration that devices load as a complete file in their own syntax (CFG-02). */
export const configFile = defineNoun({
  name: 'configFile',
  title: 'Configuration files',
  where: {
    does: 'Configuration files: uploaded, for models or any, given to devices by tasks; their content is shown to who may load it alone',
    folders: ['apps/resource/src/config-file', 'apps/console/src/area/resource/config-file'],
  },
  example: { name: 'Example', description: '', models: [] },
  upload: { field: 'upload', name: 'example.cfg', text: 'account.1.label = Example\n' },
  rights: ['add', 'edit', 'delete', 'download'],
  menu: { langKey: 'menu.configFiles', path: '/resources/configFiles', icon: 'configFile', in: 'resources' },
});

export const configFileErrors = defineErrors('configFile', {
  narrowed: {
    status: 403,
    en_US:
      'Configuration files belong to the whole company. Only users who see all organizations can change or download them.',
    zh_CN: '配置文件属于整个公司：只有可查看全部组织的用户才能更改或下载。',
    ko: '설정 파일은 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경하거나 다운로드할 수 있습니다.',
    pt_BR:
      'Os arquivos de configuração pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-los ou baixá-los.',
    help: [
      'The caller sees some organizations only, and devices of others may get these files.',
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
