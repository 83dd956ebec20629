import { defineTexts } from '../../../kit/text/define.ts';

export const deviceChangeTexts = defineTexts({
  'deviceChange.editMany': {
    en_US: { one: 'Edit {{number}} device', other: 'Edit {{number}} devices' },
    zh_CN: '编辑 {{number}} 台设备',
    ko: '장치 {{number}}대 편집',
    pt_BR: {
      one: 'Editar {{number}} dispositivo',
      many: 'Editar {{number}} dispositivos',
      other: 'Editar {{number}} dispositivos',
    },
  },
  'deviceChange.organizationMany': {
    en_US: {
      one: 'Assign {{number}} device to an organization',
      other: 'Assign {{number}} devices to an organization',
    },
    zh_CN: '将 {{number}} 台设备分配到组织',
    ko: '장치 {{number}}대를 조직에 할당',
    pt_BR: {
      one: 'Atribuir {{number}} dispositivo a uma organização',
      many: 'Atribuir {{number}} dispositivos a uma organização',
      other: 'Atribuir {{number}} dispositivos a uma organização',
    },
  },
  'deviceChange.organizationOne': {
    en_US: 'Assign {{name}} to an organization',
    zh_CN: '将 {{name}} 分配到组织',
    ko: '{{name}}을(를) 조직에 할당',
    pt_BR: 'Atribuir {{name}} a uma organização',
  },
  'deviceChange.organizationMissing': {
    en_US: 'Choose an organization',
    zh_CN: '请选择组织',
    ko: '조직을 선택하세요',
    pt_BR: 'Escolha uma organização',
  },
  'deviceChange.groupsHint': {
    en_US: 'Devices leave the groups of their former organization.',
    zh_CN: '设备会退出原组织的设备组。',
    ko: '장치는 이전 조직의 그룹에서 빠집니다.',
    pt_BR: 'Os dispositivos saem dos grupos da organização anterior.',
  },
  'deviceChange.unchanged': { en_US: 'Unchanged', zh_CN: '不变', ko: '변경 안 함', pt_BR: 'Sem alteração' },
  'deviceChange.nothing': {
    en_US: 'Choose what to change.',
    zh_CN: '请选择要更改的内容。',
    ko: '변경할 항목을 선택하세요.',
    pt_BR: 'Escolha o que alterar.',
  },
  'deviceChange.region': {
    en_US: 'Changes of devices',
    zh_CN: '设备更改',
    ko: '장치 변경',
    pt_BR: 'Alterações de dispositivos',
  },
  'deviceChange.kind.edit': { en_US: 'Edit devices', zh_CN: '编辑设备', ko: '장치 편집', pt_BR: 'Editar dispositivos' },
  'deviceChange.kind.delete': {
    en_US: 'Delete devices',
    zh_CN: '删除设备',
    ko: '장치 삭제',
    pt_BR: 'Excluir dispositivos',
  },
  'deviceChange.progress': {
    en_US: '{{done}} of {{total}}',
    zh_CN: '{{done}}/{{total}}',
    ko: '{{total}}대 중 {{done}}대',
    pt_BR: '{{done}} de {{total}}',
  },
  'deviceChange.changed': {
    en_US: { one: '{{number}} changed', other: '{{number}} changed' },
    zh_CN: '已更改 {{number}} 台',
    ko: '{{number}}대 변경됨',
    pt_BR: { one: '{{number}} alterado', many: '{{number}} alterados', other: '{{number}} alterados' },
  },
  'deviceChange.deleted': {
    en_US: { one: '{{number}} deleted', other: '{{number}} deleted' },
    zh_CN: '已删除 {{number}} 台',
    ko: '{{number}}대 삭제됨',
    pt_BR: { one: '{{number}} excluído', many: '{{number}} excluídos', other: '{{number}} excluídos' },
  },
  'deviceChange.same': {
    en_US: { one: '{{number}} was so already', other: '{{number}} were so already' },
    zh_CN: '{{number}} 台无需更改',
    ko: '{{number}}대는 이미 같음',
    pt_BR: {
      one: '{{number}} já estava assim',
      many: '{{number}} já estavam assim',
      other: '{{number}} já estavam assim',
    },
  },
  'deviceChange.failed': {
    en_US: { one: '{{number}} failed', other: '{{number}} failed' },
    zh_CN: '{{number}} 台失败',
    ko: '{{number}}대 실패',
    pt_BR: { one: '{{number}} falhou', many: '{{number}} falharam', other: '{{number}} falharam' },
  },
  'deviceChange.reasons': { en_US: 'Show reasons', zh_CN: '查看原因', ko: '이유 보기', pt_BR: 'Ver motivos' },
  'deviceChange.reasonsTitle': {
    en_US: 'Devices that could not be changed',
    zh_CN: '无法更改的设备',
    ko: '변경하지 못한 장치',
    pt_BR: 'Dispositivos que não puderam ser alterados',
  },
  'deviceChange.more': {
    en_US: { one: 'And {{number}} more', other: 'And {{number}} more' },
    zh_CN: '另有 {{number}} 台',
    ko: '외 {{number}}대',
    pt_BR: { one: 'E mais {{number}}', many: 'E mais {{number}}', other: 'E mais {{number}}' },
  },
  'deviceChange.retry': {
    en_US: 'Retry failed',
    zh_CN: '重试失败的设备',
    ko: '실패한 장치 다시 시도',
    pt_BR: 'Tentar de novo',
  },
  'deviceChange.reason': { en_US: 'Reason', zh_CN: '原因', ko: '이유', pt_BR: 'Motivo' },
});
