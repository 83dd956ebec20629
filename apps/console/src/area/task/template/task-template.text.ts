import { defineTexts } from '../../../kit/text/define.ts';

export const taskTemplateTexts = defineTexts({
  'audit.taskTemplate.add': {
    en_US: 'Add task template',
    zh_CN: '添加任务模板',
    ko: '작업 템플릿 추가',
    pt_BR: 'Adicionar modelo de tarefa',
  },
  'audit.taskTemplate.edit': {
    en_US: 'Rename task template',
    zh_CN: '重命名任务模板',
    ko: '작업 템플릿 이름 변경',
    pt_BR: 'Renomear modelo de tarefa',
  },
  'audit.taskTemplate.delete': {
    en_US: 'Delete task template',
    zh_CN: '删除任务模板',
    ko: '작업 템플릿 삭제',
    pt_BR: 'Excluir modelo de tarefa',
  },
  'audit.taskTemplate.restore': {
    en_US: 'Restore task template',
    zh_CN: '恢复任务模板',
    ko: '작업 템플릿 복원',
    pt_BR: 'Restaurar modelo de tarefa',
  },
  'taskTemplate.name': {
    en_US: 'Template name',
    zh_CN: '模板名称',
    ko: '템플릿 이름',
    pt_BR: 'Nome do modelo de tarefa',
  },
  'taskTemplate.save': {
    en_US: 'Save as template',
    zh_CN: '保存为模板',
    ko: '템플릿으로 저장',
    pt_BR: 'Salvar como modelo',
  },
  'taskTemplate.saveText': {
    en_US: 'Keeps the action, options, devices and schedule for another task. Nothing starts.',
    zh_CN: '保留动作、选项、设备和计划，供以后的任务使用。不会启动任何操作。',
    ko: '동작, 옵션, 장치, 일정을 다음 작업에 쓰도록 보관합니다. 아무것도 시작되지 않습니다.',
    pt_BR: 'Guarda a ação, as opções, os dispositivos e a programação para outra tarefa. Nada é iniciado.',
  },
  'taskTemplate.keep': {
    en_US: { one: 'Keep the {{number}} selected device', other: 'Keep the {{number}} selected devices' },
    zh_CN: '保留已选择的 {{number}} 台设备',
    ko: '선택한 장치 {{number}}대 유지',
    pt_BR: {
      one: 'Manter o {{number}} dispositivo selecionado',
      many: 'Manter os {{number}} de dispositivos selecionados',
      other: 'Manter os {{number}} dispositivos selecionados',
    },
  },
  'taskTemplate.keepText': {
    en_US: 'Otherwise, devices are chosen each time the template is used.',
    zh_CN: '否则每次使用模板时再选择设备。',
    ko: '그렇지 않으면 템플릿을 사용할 때마다 장치를 선택합니다.',
    pt_BR: 'Caso contrário, os dispositivos são escolhidos a cada uso do modelo.',
  },
  'taskTemplate.from': {
    en_US: 'From a template',
    zh_CN: '从模板开始',
    ko: '템플릿에서 시작',
    pt_BR: 'A partir de um modelo',
  },
  'taskTemplate.fromText': {
    en_US: 'Fills in this page. You can still change everything.',
    zh_CN: '填写此页面，之后仍可更改所有内容。',
    ko: '이 페이지를 채웁니다. 이후에도 모두 변경할 수 있습니다.',
    pt_BR: 'Preenche esta página. Você ainda pode alterar tudo.',
  },
  'taskTemplate.manage': {
    en_US: 'Manage templates',
    zh_CN: '管理模板',
    ko: '템플릿 관리',
    pt_BR: 'Gerenciar modelos',
  },
  'taskTemplate.none': {
    en_US: 'No templates',
    zh_CN: '没有模板',
    ko: '템플릿 없음',
    pt_BR: 'Nenhum modelo de tarefa',
  },
  'taskTemplate.rename': { en_US: 'Rename', zh_CN: '重命名', ko: '이름 변경', pt_BR: 'Renomear' },
  'taskTemplate.renameOne': {
    en_US: 'Rename {{name}}',
    zh_CN: '重命名“{{name}}”',
    ko: '{{name}} 이름 변경',
    pt_BR: 'Renomear {{name}}',
  },
  'taskTemplate.deleteOne': {
    en_US: 'Delete {{name}}',
    zh_CN: '删除“{{name}}”',
    ko: '{{name}} 삭제',
    pt_BR: 'Excluir {{name}}',
  },
  'taskTemplate.deleteText': {
    en_US: 'Tasks created from this template stay. You can undo this briefly.',
    zh_CN: '由此模板创建的任务会保留。短时间内可以撤销。',
    ko: '이 템플릿으로 만든 작업은 유지됩니다. 잠시 동안 삭제를 취소할 수 있습니다.',
    pt_BR: 'As tarefas criadas com este modelo permanecem. Por um momento a exclusão pode ser desfeita.',
  },
  'undo.taskTemplateDeleted': {
    en_US: 'Template {{name}} deleted',
    zh_CN: '已删除模板 {{name}}',
    ko: '템플릿 {{name}} 삭제됨',
    pt_BR: 'Modelo {{name}} excluído',
  },
  'undo.taskTemplateRestored': {
    en_US: 'Template {{name}} restored',
    zh_CN: '已恢复模板 {{name}}',
    ko: '템플릿 {{name}} 복원됨',
    pt_BR: 'Modelo {{name}} restaurado',
  },
});
