import { defineErrors } from '../define/error.ts';

export const approvalErrors = defineErrors('approval', {
  momentary: {
    status: 400,
    en_US: 'A door opens at once or not at all, so it can’t wait for approval.',
    zh_CN: '开门只能立即执行，无法等待审批。',
    ko: '문은 즉시 열려야 하므로 승인을 기다릴 수 없습니다.',
    pt_BR: 'Uma porta abre na hora ou não abre, por isso não pode esperar por aprovação.',
    help: [
      'The rule names an action that is for its moment alone.',
      'Leave it out; give the right to it to fewer people instead.',
    ],
  },
  actionsMissing: {
    status: 400,
    en_US: 'Choose at least one action.',
    zh_CN: '请至少选择一个操作。',
    ko: '동작을 하나 이상 선택하세요.',
    pt_BR: 'Escolha pelo menos uma ação.',
    help: ['The rule names a number of devices and no action.', 'Choose the actions, or send null as `devices`.'],
  },
  narrowed: {
    status: 403,
    en_US: 'This rule is for the whole company. Only users who see all organizations can change it.',
    zh_CN: '此规则适用于整个公司，只有可查看全部组织的用户才能更改。',
    ko: '이 규칙은 회사 전체에 적용됩니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Esta regra vale para toda a empresa. Só quem vê todas as organizações pode alterá-la.',
    help: ['The caller sees some organizations only.', 'Ask someone who sees all organizations.'],
  },
  push: {
    status: 409,
    en_US: 'This needs approval by a second person, so it can’t start now.',
    zh_CN: '此操作需要他人审批，无法立即开始。',
    ko: '다른 사람의 승인이 필요하므로 지금 시작할 수 없습니다.',
    pt_BR: 'Isto precisa da aprovação de outra pessoa e não pode começar agora.',
    help: [
      'A push begins now or never, and the rule of the company has it wait for approval.',
      'Order it without `push`: the task waits for approval.',
    ],
  },
  notApproved: {
    status: 409,
    en_US: 'This task was not approved.',
    zh_CN: '此任务未获批准。',
    ko: '승인되지 않은 작업입니다.',
    pt_BR: 'Esta tarefa não foi aprovada.',
    help: [
      'The task waits for approval, was refused, or was canceled while it waited.',
      'Have it approved, or create another task.',
    ],
  },
  answered: {
    status: 409,
    en_US: 'This task no longer waits for approval.',
    zh_CN: '此任务已不再等待审批。',
    ko: '더 이상 승인을 기다리지 않는 작업입니다.',
    pt_BR: 'Esta tarefa não aguarda mais aprovação.',
    help: ['Someone else answered first, or the task was canceled.', 'Read the task again.'],
  },
  ownTask: {
    status: 403,
    en_US: 'You created this task. Someone else has to approve it.',
    zh_CN: '此任务由您创建，须由他人审批。',
    ko: '직접 만든 작업입니다. 다른 사람이 승인해야 합니다.',
    pt_BR: 'Você criou esta tarefa. Outra pessoa precisa aprová-la.',
    help: [
      'The creator of a task is not its second person, in any session and with any token.',
      'Ask someone else who has the right; to take the task back, cancel it.',
    ],
  },
  partlySeen: {
    status: 403,
    en_US: 'This task also has devices that you don’t see. Someone who sees all of them has to answer.',
    zh_CN: '此任务还包含您看不到的设备，须由能看到全部设备的人处理。',
    ko: '이 작업에는 볼 수 없는 장치도 있습니다. 모든 장치를 볼 수 있는 사람이 답해야 합니다.',
    pt_BR: 'Esta tarefa também tem dispositivos que você não vê. Quem vê todos eles precisa responder.',
    help: [
      'A device of the target is in an organization that you do not see, or you chose one organization.',
      'Choose all organizations, or ask someone who sees all of them.',
    ],
  },
  changed: {
    status: 409,
    en_US: 'The task now means {count} {count|device|devices}. Look at it again before you approve.',
    zh_CN: '此任务现在涉及 {count} 台设备，请重新查看后再批准。',
    ko: '이 작업의 대상이 이제 {count}대입니다. 다시 확인한 후 승인하세요.',
    pt_BR: 'A tarefa agora envolve {count} {count|dispositivo|dispositivos}. Confira de novo antes de aprovar.',
    help: [
      'Another approval was requested since the caller read the task, for another number of devices.',
      'Read the task again and send its number of devices.',
    ],
  },
});
