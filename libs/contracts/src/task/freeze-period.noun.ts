import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** A time in which no task changes devices of a company, or of some of its sites (TASK-12). */
export const freezePeriod = defineNoun({
  name: 'freezePeriod',
  title: 'Freeze periods',
  where: {
    does: 'Freeze periods: when no task changes devices, of a company or of sites; what waits goes out at the end',
    folders: ['apps/task/src/freeze-period', 'apps/console/src/area/task/freeze-period'],
  },
  // Long past, so that orders of other tests do not wait for it.
  example: {
    name: 'Example',
    siteIds: [],
    begin: '2020-12-20T18:00',
    end: '2021-01-04T06:00',
    timeZone: 'Europe/Berlin',
  },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.freezePeriods', path: '/task/freezePeriod', icon: 'time', before: 'resources' },
});

export const freezePeriodErrors = defineErrors('freezePeriod', {
  order: {
    status: 400,
    en_US: 'The end must be later than the beginning.',
    zh_CN: '结束时间必须晚于开始时间。',
    ko: '종료 시간은 시작 시간보다 늦어야 합니다.',
    pt_BR: 'O fim deve ser posterior ao início.',
    help: ['The freeze period would end before it begins, or at the same minute.', 'Choose a later end.'],
  },
  zoneUnknown: {
    status: 400,
    en_US: 'This time zone is not known.',
    zh_CN: '未知的时区。',
    ko: '알 수 없는 시간대입니다.',
    pt_BR: 'Este fuso horário não é conhecido.',
    help: ['The time zone is none of the tz database.', 'Choose one from the list, for example Asia/Seoul.'],
  },
  siteUnknown: {
    status: 400,
    en_US: 'A chosen site no longer exists.',
    zh_CN: '所选站点已不存在。',
    ko: '선택한 사이트가 더 이상 없습니다.',
    pt_BR: 'Um local escolhido não existe mais.',
    help: ['A site was deleted after it was chosen, or was added a moment ago.', 'Choose the sites again.'],
  },
  tooMany: {
    status: 409,
    en_US: 'The company has {count} freeze periods that are not over, and no more are possible.',
    zh_CN: '公司已有 {count} 个尚未结束的冻结期，不能再增加。',
    ko: '회사에 끝나지 않은 동결 기간이 이미 {count}개 있어 더 추가할 수 없습니다.',
    pt_BR: 'A empresa já tem {count} períodos de congelamento em aberto, e não são possíveis mais.',
    help: [
      'Each command that goes out is checked against the freeze periods that are in force.',
      'Delete one that is not needed, or let one hold several sites.',
    ],
  },
  narrowed: {
    status: 403,
    en_US: 'Freeze periods hold devices of the whole company. Only users who see all organizations can change them.',
    zh_CN: '冻结期影响整个公司的设备：只有可查看全部组织的用户才能更改。',
    ko: '동결 기간은 회사 전체의 장치에 적용됩니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR:
      'Períodos de congelamento valem para dispositivos de toda a empresa. Só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and a freeze period holds devices of others, too.',
      'Ask someone who sees all organizations.',
    ],
  },
});
