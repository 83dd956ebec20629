import { defineTexts } from '../../../kit/text/define.ts';

export const tagTexts = defineTexts({
  'tag.one': {
    en_US: 'Tags of {{name}}',
    zh_CN: '{{name}} 的标签',
    ko: '{{name}}의 태그',
    pt_BR: 'Etiquetas de {{name}}',
  },
  'tag.many': {
    en_US: { one: 'Tag {{number}} device', other: 'Tag {{number}} devices' },
    zh_CN: '为 {{number}} 台设备设置标签',
    ko: '장치 {{number}}대에 태그 지정',
    pt_BR: {
      one: 'Etiquetar {{number}} dispositivo',
      many: 'Etiquetar {{number}} de dispositivos',
      other: 'Etiquetar {{number}} dispositivos',
    },
  },
  'tag.oneText': {
    en_US: 'You can filter by tags and aim tasks and group rules by them.',
    zh_CN: '可按标签筛选，也可在任务和设备组规则中使用。',
    ko: '태그로 필터링하고, 작업과 그룹 규칙의 대상을 태그로 정할 수 있습니다.',
    pt_BR: 'Etiquetas servem para filtrar e para definir o alvo de tarefas e regras de grupos.',
  },
  'tag.manyText': {
    en_US: 'Tags with other keys stay as they are.',
    zh_CN: '其他键的标签保持不变。',
    ko: '다른 키의 태그는 그대로 유지됩니다.',
    pt_BR: 'Etiquetas com outras chaves ficam como estão.',
  },
  'tag.key': { en_US: 'Key', zh_CN: '键', ko: '키', pt_BR: 'Chave' },
  'tag.keyExample': { en_US: 'For example: floor', zh_CN: '例如：floor', ko: '예: floor', pt_BR: 'Por exemplo: andar' },
  'tag.value': { en_US: 'Value', zh_CN: '值', ko: '값', pt_BR: 'Valor' },
  'tag.add': { en_US: 'Add tag', zh_CN: '添加标签', ko: '태그 추가', pt_BR: 'Adicionar etiqueta' },
  'tag.drop': {
    en_US: 'Remove tag {{name}}',
    zh_CN: '移除标签 {{name}}',
    ko: '태그 {{name}} 제거',
    pt_BR: 'Remover etiqueta {{name}}',
  },
  'tag.removed': {
    en_US: 'Keys to remove',
    zh_CN: '要移除的键',
    ko: '제거할 키',
    pt_BR: 'Chaves a remover',
  },
  'tag.keyMissing': { en_US: 'Enter a key.', zh_CN: '请输入键。', ko: '키를 입력하세요.', pt_BR: 'Informe uma chave.' },
  'tag.valueMissing': {
    en_US: 'Enter a value.',
    zh_CN: '请输入值。',
    ko: '값을 입력하세요.',
    pt_BR: 'Informe um valor.',
  },
  'tag.keyTwice': {
    en_US: 'This key is there twice.',
    zh_CN: '该键重复。',
    ko: '이 키가 두 번 있습니다.',
    pt_BR: 'Esta chave aparece duas vezes.',
  },
  'tag.nothing': {
    en_US: 'Name a tag to set or a key to remove.',
    zh_CN: '请填写要设置的标签或要移除的键。',
    ko: '지정할 태그나 제거할 키를 입력하세요.',
    pt_BR: 'Informe uma etiqueta ou uma chave a remover.',
  },
  'tag.done': {
    en_US: { one: 'Tags of {{number}} device changed', other: 'Tags of {{number}} devices changed' },
    zh_CN: '已更改 {{number}} 台设备的标签',
    ko: '장치 {{number}}대의 태그를 변경했습니다',
    pt_BR: {
      one: 'Etiquetas de {{number}} dispositivo alteradas',
      many: 'Etiquetas de {{number}} de dispositivos alteradas',
      other: 'Etiquetas de {{number}} dispositivos alteradas',
    },
  },
  'audit.device.tag': {
    en_US: 'Tag devices',
    zh_CN: '设置设备标签',
    ko: '장치에 태그 지정',
    pt_BR: 'Etiquetar dispositivos',
  },
});
