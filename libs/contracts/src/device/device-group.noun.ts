import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** A set of devices of one organization. A device belongs to any number of groups. */
export const deviceGroup = defineNoun({
  name: 'deviceGroup',
  title: 'Device groups',
  where: {
    does: 'Device groups: list, add, edit, delete and take it back; the devices in them',
    folders: [
      'apps/device/src/device-group',
      'apps/provisioning/src/device-group',
      'apps/console/src/area/device/device-group',
    ],
  },
  example: { name: 'Example', description: '' },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.deviceGroups', path: '/device/group', icon: 'deviceGroup', before: 'deviceLog' },
});

export const deviceGroupErrors = defineErrors('deviceGroup', {
  nameTaken: {
    status: 409,
    en_US: 'The organization has a device group of this name already.',
    zh_CN: '该组织已有同名设备组。',
    ko: '조직에 같은 이름의 장치 그룹이 이미 있습니다.',
    pt_BR: 'A organização já tem um grupo de dispositivos com este nome.',
    help: ['Another group of the same organization has this name.', 'Choose another name.'],
  },
  notEmpty: {
    status: 409,
    en_US: 'A device group with devices can’t be deleted: remove its {count} {count|device|devices} first.',
    zh_CN: '有设备的设备组不能删除：请先移出其中的 {count} 台设备。',
    ko: '장치가 있는 그룹은 삭제할 수 없습니다. 먼저 장치 {count}대를 그룹에서 제거하세요.',
    pt_BR:
      'Um grupo com dispositivos não pode ser excluído: remova antes {count|o|os} {count} {count|dispositivo|dispositivos}.',
    help: ['Devices are in the group.', 'Select them in the device list and remove them from the group first.'],
  },
  ruleEmpty: {
    status: 400,
    en_US: 'A rule needs at least one condition.',
    zh_CN: '规则至少需要一个条件。',
    ko: '규칙에는 조건이 하나 이상 필요합니다.',
    pt_BR: 'Uma regra precisa de ao menos uma condição.',
    help: ['A group by rule was saved without a condition.', 'Add a condition, or choose devices by hand.'],
  },
  byRule: {
    status: 409,
    en_US: 'The devices of this group follow its rule. Change the rule instead.',
    zh_CN: '该组的设备由规则决定，请改为修改规则。',
    ko: '이 그룹의 장치는 규칙에 따라 정해집니다. 규칙을 변경하세요.',
    pt_BR: 'Os dispositivos deste grupo seguem a regra dele. Altere a regra.',
    help: [
      'Devices were to be added to a group with a rule, or removed from it, by hand.',
      'Edit the rule of the group, or tag the devices so that the rule takes them.',
    ],
  },
  tooManyRules: {
    status: 409,
    en_US: 'The company has {count} device groups with rules already, and no more are possible.',
    zh_CN: '公司已有 {count} 个按规则的设备组，不能再增加。',
    ko: '회사에 규칙을 쓰는 장치 그룹이 이미 {count}개 있어 더 추가할 수 없습니다.',
    pt_BR: 'A empresa já tem {count} grupos de dispositivos com regra, e não são possíveis mais.',
    help: [
      'Every device that changes is tested against every rule of its company.',
      'Delete a group with a rule that is not used any more, or let one hold its devices by hand.',
    ],
  },
  tooManyPatterns: {
    status: 409,
    en_US: 'The rules of all device groups would search for {count} texts. {most} are possible.',
    zh_CN: '所有设备组的规则将搜索 {count} 个文本，最多可为 {most} 个。',
    ko: '모든 장치 그룹의 규칙이 찾는 텍스트가 {count}개가 됩니다. 최대 {most}개까지 가능합니다.',
    pt_BR: 'As regras de todos os grupos de dispositivos buscariam {count} textos. São possíveis {most}.',
    help: [
      'Every device that changes is tested against every text for which a rule of its company searches.',
      'Search for fewer texts, or tag the devices and let the rule take the tag.',
    ],
  },
  otherOrganization: {
    status: 409,
    en_US:
      '{count} of the devices belong to another organization than the group. Choose devices of {organization} only.',
    zh_CN: '有 {count} 台设备与该组不属于同一组织。请只选择 {organization} 的设备。',
    ko: '장치 {count}대가 그룹과 다른 조직에 속합니다. {organization}의 장치만 선택하세요.',
    pt_BR:
      '{count} dos dispositivos são de outra organização que não a do grupo. Escolha só dispositivos de {organization}.',
    help: [
      'A device group holds devices of its own organization only, and others were chosen, too.',
      'Choose devices of that organization, or a group of theirs.',
    ],
  },
});
