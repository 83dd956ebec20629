import { defineTexts } from '../../../kit/text/define.ts';

export const deviceGroupTexts = defineTexts({
  'menu.deviceGroups': { en_US: 'Device groups', zh_CN: '设备组', ko: '장치 그룹', pt_BR: 'Grupos de dispositivos' },
  'menuIcon.deviceGroup': { en_US: 'Stack', zh_CN: '叠层', ko: '겹친 면', pt_BR: 'Pilha' },
  'deviceGroup.name': { en_US: 'Name', zh_CN: '名称', ko: '이름', pt_BR: 'Nome' },
  'deviceGroup.nameMissing': {
    en_US: 'Enter a name.',
    zh_CN: '请输入名称。',
    ko: '이름을 입력하세요.',
    pt_BR: 'Informe um nome.',
  },
  'deviceGroup.description': { en_US: 'Description', zh_CN: '描述', ko: '설명', pt_BR: 'Descrição' },
  'deviceGroup.organization': { en_US: 'Organization', zh_CN: '组织', ko: '조직', pt_BR: 'Organização' },
  'deviceGroup.updated': { en_US: 'Updated', zh_CN: '更新时间', ko: '수정 시간', pt_BR: 'Atualizado' },
  'deviceGroup.add': {
    en_US: 'Add device group',
    zh_CN: '添加设备组',
    ko: '장치 그룹 추가',
    pt_BR: 'Adicionar grupo de dispositivos',
  },
  'deviceGroup.editOne': {
    en_US: 'Edit {{name}}',
    zh_CN: '编辑 {{name}}',
    ko: '{{name}} 편집',
    pt_BR: 'Editar {{name}}',
  },
  'deviceGroup.deleteText': {
    en_US: 'No device is in this group. You can undo this briefly.',
    zh_CN: '该组中没有设备。短时间内可以撤销。',
    ko: '이 그룹에는 장치가 없습니다. 잠시 동안 삭제를 취소할 수 있습니다.',
    pt_BR: 'Nenhum dispositivo está neste grupo. Por um momento a exclusão pode ser desfeita.',
  },
  'deviceGroup.deleteUsed': {
    en_US: {
      one: '{{number}} device is in this group. Remove it from the group first.',
      other: '{{number}} devices are in this group. Remove them from the group first.',
    },
    zh_CN: '该组中有 {{number}} 台设备，请先将其移出该组。',
    ko: '이 그룹에 장치 {{number}}대가 있습니다. 먼저 그룹에서 제거하세요.',
    pt_BR: {
      one: '{{number}} dispositivo está neste grupo. Remova-o do grupo antes.',
      many: '{{number}} de dispositivos estão neste grupo. Remova-os do grupo antes.',
      other: '{{number}} dispositivos estão neste grupo. Remova-os do grupo antes.',
    },
  },
  'deviceGroup.deleteRuled': {
    en_US: {
      one: '{{number}} device meets the rule of this group. Let the group hold its devices by hand first, then remove it.',
      other:
        '{{number}} devices meet the rule of this group. Let the group hold its devices by hand first, then remove them.',
    },
    zh_CN: '有 {{number}} 台设备符合该组的规则。请先改为手动添加设备，再将其移出。',
    ko: '장치 {{number}}대가 이 그룹의 규칙에 맞습니다. 먼저 그룹을 수동으로 바꾼 다음 장치를 제거하세요.',
    pt_BR: {
      one: '{{number}} dispositivo atende à regra deste grupo. Mude antes o grupo para manual e remova-o.',
      many: '{{number}} de dispositivos atendem à regra deste grupo. Mude antes o grupo para manual e remova-os.',
      other: '{{number}} dispositivos atendem à regra deste grupo. Mude antes o grupo para manual e remova-os.',
    },
  },
  'deviceGroup.members': { en_US: 'Membership', zh_CN: '成员方式', ko: '구성 방식', pt_BR: 'Composição' },
  'deviceGroup.byHand': { en_US: 'By hand', zh_CN: '手动', ko: '수동', pt_BR: 'Manual' },
  'deviceGroup.byRule': { en_US: 'By rule', zh_CN: '按规则', ko: '규칙', pt_BR: 'Por regra' },
  'deviceGroup.applying': {
    en_US: 'By rule, being applied',
    zh_CN: '按规则，正在应用',
    ko: '규칙 적용 중',
    pt_BR: 'Por regra, em aplicação',
  },
  'deviceGroup.byHandText': {
    en_US: 'Add devices from the device list.',
    zh_CN: '请在设备列表中加入设备。',
    ko: '장치 목록에서 장치를 추가하세요.',
    pt_BR: 'Adicione dispositivos pela lista de dispositivos.',
  },
  'deviceGroup.byHandKeeps': {
    en_US: 'The devices that are in the group now stay in it.',
    zh_CN: '目前在该组中的设备会保留。',
    ko: '지금 그룹에 있는 장치는 그대로 남습니다.',
    pt_BR: 'Os dispositivos que estão no grupo agora continuam nele.',
  },
  'deviceGroup.byRuleText': {
    en_US:
      'Devices of the organization that meet every condition join by themselves, and leave when they no longer do.',
    zh_CN: '本组织中符合全部条件的设备会自动加入，不再符合时自动移出。',
    ko: '조직의 장치 중 모든 조건에 맞는 장치가 자동으로 들어오고, 맞지 않게 되면 나갑니다.',
    pt_BR:
      'Dispositivos da organização que atendem a todas as condições entram sozinhos e saem quando deixam de atender.',
  },
  'deviceGroup.rule': { en_US: 'Rule', zh_CN: '规则', ko: '규칙', pt_BR: 'Regra' },
  'deviceGroup.addCondition': {
    en_US: 'Add condition',
    zh_CN: '添加条件',
    ko: '조건 추가',
    pt_BR: 'Adicionar condição',
  },
  'deviceGroup.ruleMissing': {
    en_US: 'Add at least one condition.',
    zh_CN: '请至少添加一个条件。',
    ko: '조건을 하나 이상 추가하세요.',
    pt_BR: 'Adicione ao menos uma condição.',
  },
  'deviceGroup.meet': {
    en_US: {
      one: '{{number}} of your devices matches now.',
      other: '{{number}} of your devices match now.',
    },
    zh_CN: '您可见的设备中现有 {{number}} 台符合。',
    ko: '보이는 장치 중 지금 {{number}}대가 맞습니다.',
    pt_BR: {
      one: '{{number}} dispositivo que você vê atende a isto agora.',
      many: '{{number}} de dispositivos que você vê atendem a isto agora.',
      other: '{{number}} dispositivos que você vê atendem a isto agora.',
    },
  },
  'deviceGroup.devices': { en_US: 'Devices', zh_CN: '设备', ko: '장치', pt_BR: 'Dispositivos' },
  'deviceGroup.deviceCount': {
    en_US: { one: '{{number}} device', other: '{{number}} devices' },
    zh_CN: '{{number}} 台设备',
    ko: '장치 {{number}}대',
    pt_BR: { one: '{{number}} dispositivo', many: '{{number}} de dispositivos', other: '{{number}} dispositivos' },
  },
  'deviceGroup.one': { en_US: 'Device group', zh_CN: '设备组', ko: '장치 그룹', pt_BR: 'Grupo de dispositivos' },
  'deviceGroup.missing': {
    en_US: 'Choose a device group.',
    zh_CN: '请选择设备组。',
    ko: '장치 그룹을 선택하세요.',
    pt_BR: 'Escolha um grupo de dispositivos.',
  },
  'deviceGroup.noneToChoose': {
    en_US: 'No device groups yet. Add one under Device groups first.',
    zh_CN: '还没有设备组。请先在“设备组”中添加。',
    ko: '아직 장치 그룹이 없습니다. 먼저 장치 그룹에서 추가하세요.',
    pt_BR: 'Ainda não há grupos de dispositivos. Adicione um em Grupos de dispositivos primeiro.',
  },
  'deviceGroup.addNone': {
    en_US: 'Its organization has no other group.',
    zh_CN: '其所属组织没有其他设备组。',
    ko: '소속 조직에 다른 그룹이 없습니다.',
    pt_BR: 'A organização dele não tem outro grupo.',
  },
  'deviceGroup.removeNone': {
    en_US: 'The device is in no group.',
    zh_CN: '该设备不在任何设备组中。',
    ko: '장치가 어떤 그룹에도 없습니다.',
    pt_BR: 'O dispositivo não está em nenhum grupo.',
  },
  'deviceGroup.addOne': {
    en_US: 'Add {{name}} to a group',
    zh_CN: '将 {{name}} 加入设备组',
    ko: '{{name}}을(를) 그룹에 추가',
    pt_BR: 'Adicionar {{name}} a um grupo',
  },
  'deviceGroup.addMany': {
    en_US: { one: 'Add {{number}} device to a group', other: 'Add {{number}} devices to a group' },
    zh_CN: '将 {{number}} 台设备加入设备组',
    ko: '장치 {{number}}대를 그룹에 추가',
    pt_BR: {
      one: 'Adicionar {{number}} dispositivo a um grupo',
      many: 'Adicionar {{number}} de dispositivos a um grupo',
      other: 'Adicionar {{number}} dispositivos a um grupo',
    },
  },
  'deviceGroup.addConfirm': {
    en_US: 'Add to group',
    zh_CN: '加入设备组',
    ko: '그룹에 추가',
    pt_BR: 'Adicionar ao grupo',
  },
  'deviceGroup.added': {
    en_US: { one: '{{number}} device added to {{name}}', other: '{{number}} devices added to {{name}}' },
    zh_CN: '已将 {{number}} 台设备加入 {{name}}',
    ko: '장치 {{number}}대를 {{name}}에 추가함',
    pt_BR: {
      one: '{{number}} dispositivo adicionado a {{name}}',
      many: '{{number}} de dispositivos adicionados a {{name}}',
      other: '{{number}} dispositivos adicionados a {{name}}',
    },
  },
  'deviceGroup.removeOne': {
    en_US: 'Remove {{name}} from a group',
    zh_CN: '将 {{name}} 移出设备组',
    ko: '{{name}}을(를) 그룹에서 제거',
    pt_BR: 'Remover {{name}} de um grupo',
  },
  'deviceGroup.removeMany': {
    en_US: { one: 'Remove {{number}} device from a group', other: 'Remove {{number}} devices from a group' },
    zh_CN: '将 {{number}} 台设备移出设备组',
    ko: '장치 {{number}}대를 그룹에서 제거',
    pt_BR: {
      one: 'Remover {{number}} dispositivo de um grupo',
      many: 'Remover {{number}} de dispositivos de um grupo',
      other: 'Remover {{number}} dispositivos de um grupo',
    },
  },
  'deviceGroup.removeConfirm': {
    en_US: 'Remove from group',
    zh_CN: '移出设备组',
    ko: '그룹에서 제거',
    pt_BR: 'Remover do grupo',
  },
  'deviceGroup.removed': {
    en_US: {
      one: '{{number}} device removed from {{name}}',
      other: '{{number}} devices removed from {{name}}',
    },
    zh_CN: '已将 {{number}} 台设备移出 {{name}}',
    ko: '장치 {{number}}대를 {{name}}에서 제거함',
    pt_BR: {
      one: '{{number}} dispositivo removido de {{name}}',
      many: '{{number}} de dispositivos removidos de {{name}}',
      other: '{{number}} dispositivos removidos de {{name}}',
    },
  },
  'audit.device.addToGroup': {
    en_US: 'Add devices to group',
    zh_CN: '设备加入设备组',
    ko: '그룹에 장치 추가',
    pt_BR: 'Adicionar dispositivos ao grupo',
  },
  'audit.device.removeFromGroup': {
    en_US: 'Remove devices from group',
    zh_CN: '设备移出设备组',
    ko: '그룹에서 장치 제거',
    pt_BR: 'Remover dispositivos do grupo',
  },
  'deviceGroup.search': {
    en_US: 'Name or description',
    zh_CN: '名称或描述',
    ko: '이름 또는 설명',
    pt_BR: 'Nome ou descrição',
  },
  'deviceGroup.none': {
    en_US: 'No device groups yet',
    zh_CN: '暂无设备组',
    ko: '장치 그룹이 없습니다',
    pt_BR: 'Nenhum grupo de dispositivos ainda',
  },
  'deviceGroup.noneText': {
    en_US:
      'A device group holds devices of one organization that belong together, for example all reception phones. A device can be in several groups.',
    zh_CN: '设备组包含同一组织中归为一类的设备，例如所有前台话机。一台设备可以属于多个组。',
    ko: '장치 그룹은 한 조직에서 함께 다룰 장치를 모읍니다. 예: 모든 안내 데스크 전화기. 장치는 여러 그룹에 속할 수 있습니다.',
    pt_BR:
      'Um grupo reúne dispositivos de uma organização, por exemplo todos os telefones da recepção. Um dispositivo pode estar em vários grupos.',
  },
  'deviceGroup.noMatch': {
    en_US: 'No device group matches the search.',
    zh_CN: '没有符合搜索的设备组。',
    ko: '검색에 맞는 장치 그룹이 없습니다.',
    pt_BR: 'Nenhum grupo de dispositivos corresponde à busca.',
  },
  'deviceGroup.listFailed': {
    en_US: 'The device groups could not be loaded.',
    zh_CN: '无法加载设备组。',
    ko: '장치 그룹을 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar os grupos de dispositivos.',
  },
  'right.addDeviceGroup': {
    en_US: 'Add device groups',
    zh_CN: '添加设备组',
    ko: '장치 그룹 추가',
    pt_BR: 'Adicionar grupos de dispositivos',
  },
  'right.editDeviceGroup': {
    en_US: 'Edit device groups',
    zh_CN: '编辑设备组',
    ko: '장치 그룹 편집',
    pt_BR: 'Editar grupos de dispositivos',
  },
  'right.deleteDeviceGroup': {
    en_US: 'Delete device groups',
    zh_CN: '删除设备组',
    ko: '장치 그룹 삭제',
    pt_BR: 'Excluir grupos de dispositivos',
  },
  'audit.deviceGroup.add': {
    en_US: 'Add device group',
    zh_CN: '添加设备组',
    ko: '장치 그룹 추가',
    pt_BR: 'Adicionar grupo de dispositivos',
  },
  'audit.deviceGroup.edit': {
    en_US: 'Edit device group',
    zh_CN: '编辑设备组',
    ko: '장치 그룹 편집',
    pt_BR: 'Editar grupo de dispositivos',
  },
  'audit.deviceGroup.delete': {
    en_US: 'Delete device group',
    zh_CN: '删除设备组',
    ko: '장치 그룹 삭제',
    pt_BR: 'Excluir grupo de dispositivos',
  },
  'audit.deviceGroup.restore': {
    en_US: 'Restore device group',
    zh_CN: '恢复设备组',
    ko: '장치 그룹 복원',
    pt_BR: 'Restaurar grupo de dispositivos',
  },
  'deviceGroup.deleteOne': {
    en_US: 'Delete device group {{name}}',
    zh_CN: '删除设备组 {{name}}',
    ko: '장치 그룹 {{name}} 삭제',
    pt_BR: 'Excluir o grupo {{name}}',
  },
  'undo.deviceGroupDeleted': {
    en_US: 'Device group {{name}} deleted',
    zh_CN: '已删除设备组 {{name}}',
    ko: '장치 그룹 {{name}} 삭제됨',
    pt_BR: 'Grupo {{name}} excluído',
  },
  'undo.deviceGroupRestored': {
    en_US: 'Device group {{name}} restored',
    zh_CN: '已恢复设备组 {{name}}',
    ko: '장치 그룹 {{name}} 복원됨',
    pt_BR: 'Grupo {{name}} restaurado',
  },
});
