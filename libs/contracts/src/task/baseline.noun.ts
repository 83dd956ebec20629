import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** The firmware that the devices of a model, site or group, or one device, must have (STORE-07). */
export const baseline = defineNoun({
  name: 'baseline',
  title: 'Baselines',
  where: {
    does: 'Baselines: the firmware that a model, a site, a group or one device is to have, given to who joins or falls behind, in its window',
    folders: ['apps/task/src/baseline', 'apps/console/src/area/task/baseline'],
  },
  // Inactive, so that it does not upgrade the devices of other tests.
  example: {
    name: 'Example',
    model: 'X7A',
    siteId: null,
    groupId: null,
    active: false,
    from: null,
    to: null,
    timeZone: null,
  },
  needs: { firmwareId: 'firmware' },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.baselines', path: '/task/baseline', icon: 'chart', before: 'resources' },
});

export const baselineErrors = defineErrors('baseline', {
  nameTaken: {
    status: 409,
    en_US: 'A baseline with this name already exists.',
    zh_CN: '已存在同名的基线。',
    ko: '같은 이름의 기준 버전이 이미 있습니다.',
    pt_BR: 'Já existe uma linha de base com este nome.',
    help: ['Another baseline of the company has this name.', 'Choose another name.'],
  },
  scope: {
    status: 400,
    en_US: 'Choose either a model, a site, a group or a device.',
    zh_CN: '请选择一个型号、站点、分组或设备，只能选其一。',
    ko: '모델, 사이트, 그룹, 장치 중 하나만 선택하세요.',
    pt_BR: 'Escolha um modelo, um local, um grupo ou um dispositivo.',
    help: ['A baseline is for exactly one of them.', 'Add one baseline for each.'],
  },
  modelOther: {
    status: 400,
    en_US: 'The firmware is not for this model.',
    zh_CN: '该固件不适用于此型号。',
    ko: '이 모델용 펌웨어가 아닙니다.',
    pt_BR: 'O firmware não é para este modelo.',
    help: [
      'No device of this model could get the firmware.',
      'Choose one of the models of the firmware, or another firmware.',
    ],
  },
  macUnknown: {
    status: 400,
    en_US: 'No device of the company has this MAC address.',
    zh_CN: '公司中没有此 MAC 地址的设备。',
    ko: '이 MAC 주소의 장치가 회사에 없습니다.',
    pt_BR: 'Nenhum dispositivo da empresa tem este endereço MAC.',
    help: ['The address has a mistake, or the device was deleted.', 'Copy the address from the list of devices.'],
  },
  siteUnknown: {
    status: 400,
    en_US: 'The chosen site no longer exists.',
    zh_CN: '所选站点已不存在。',
    ko: '선택한 사이트가 더 이상 없습니다.',
    pt_BR: 'O local escolhido não existe mais.',
    help: ['The site was deleted after it was chosen, or was added a moment ago.', 'Choose the site again.'],
  },
  window: {
    status: 400,
    en_US: 'A window needs its beginning, another minute as its end, and a time zone.',
    zh_CN: '时间窗口需要开始时间、不同的结束时间以及时区。',
    ko: '시간 범위에는 시작, 시작과 다른 종료, 시간대가 필요합니다.',
    pt_BR: 'Uma janela precisa de início, de um fim diferente do início e de um fuso horário.',
    help: ['One of the three is missing, or both times are the same.', 'Enter all three, or none for any time.'],
  },
  zoneUnknown: {
    status: 400,
    en_US: 'This time zone is not known.',
    zh_CN: '未知的时区。',
    ko: '알 수 없는 시간대입니다.',
    pt_BR: 'Este fuso horário não é conhecido.',
    help: ['The time zone is none of the tz database.', 'Choose one from the list, for example Asia/Seoul.'],
  },
  tooMany: {
    status: 409,
    en_US: 'The company has {count} baselines, and no more are possible.',
    zh_CN: '公司已有 {count} 条基线，不能再增加。',
    ko: '회사에 기준 버전이 이미 {count}개 있어 더 추가할 수 없습니다.',
    pt_BR: 'A empresa já tem {count} linhas de base, e não são possíveis mais.',
    help: ['Each device is looked at under each baseline of its company.', 'Delete one that is not needed.'],
  },
  narrowed: {
    status: 403,
    en_US: 'Baselines upgrade devices of the whole company. Only users who see all organizations can change them.',
    zh_CN: '基线会升级整个公司的设备：只有可查看全部组织的用户才能更改。',
    ko: '기준 버전은 회사 전체의 장치를 업그레이드합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Linhas de base atualizam dispositivos de toda a empresa. Só quem vê todas as organizações pode alterá-las.',
    help: [
      'The caller sees some organizations only, and a baseline upgrades devices of others, too.',
      'Ask someone who sees all organizations.',
    ],
  },
});
