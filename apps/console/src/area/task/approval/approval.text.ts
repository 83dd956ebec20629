import { defineTexts } from '../../../kit/text/define.ts';

export const approvalTexts = defineTexts({
  'menu.approval': { en_US: 'Task approval', zh_CN: '任务审批', ko: '작업 승인', pt_BR: 'Aprovação de tarefas' },
  'menuIcon.approval': {
    en_US: 'Person with check mark',
    zh_CN: '带对勾的人像',
    ko: '체크 표시된 사람',
    pt_BR: 'Pessoa com visto',
  },
  'right.approveTask': { en_US: 'Approve tasks', zh_CN: '审批任务', ko: '작업 승인', pt_BR: 'Aprovar tarefas' },
  'right.editApproval': {
    en_US: 'Change which tasks need approval',
    zh_CN: '更改哪些任务需要审批',
    ko: '승인이 필요한 작업 변경',
    pt_BR: 'Alterar quais tarefas precisam de aprovação',
  },
  'audit.approval.edit': {
    en_US: 'Change task approval',
    zh_CN: '更改任务审批',
    ko: '작업 승인 설정 변경',
    pt_BR: 'Alterar aprovação de tarefas',
  },
  'audit.task.approve': { en_US: 'Approve task', zh_CN: '批准任务', ko: '작업 승인', pt_BR: 'Aprovar tarefa' },
  'audit.task.refuse': { en_US: 'Refuse task', zh_CN: '拒绝任务', ko: '작업 거부', pt_BR: 'Recusar tarefa' },
  'audit.task.askApproval': {
    en_US: 'Ask for approval again',
    zh_CN: '重新请求审批',
    ko: '승인 다시 요청',
    pt_BR: 'Pedir aprovação de novo',
  },
  'approval.approval': { en_US: 'Approval', zh_CN: '审批', ko: '승인', pt_BR: 'Aprovação' },
  'approval.state.asked': {
    en_US: 'Waits for approval',
    zh_CN: '等待审批',
    ko: '승인 대기 중',
    pt_BR: 'Aguarda aprovação',
  },
  'approval.state.approved': { en_US: 'Approved', zh_CN: '已批准', ko: '승인됨', pt_BR: 'Aprovada' },
  'approval.state.refused': { en_US: 'Refused', zh_CN: '已拒绝', ko: '거부됨', pt_BR: 'Recusada' },
  'approval.waiting': {
    en_US: { one: '{{number}} task waits for approval', other: '{{number}} tasks wait for approval' },
    zh_CN: '{{number}} 个任务等待审批',
    ko: '승인을 기다리는 작업 {{number}}개',
    pt_BR: {
      one: '{{number}} tarefa aguarda aprovação',
      many: '{{number}} de tarefas aguardam aprovação',
      other: '{{number}} tarefas aguardam aprovação',
    },
  },
  'approval.needed': { en_US: 'Needs approval', zh_CN: '需要审批', ko: '승인 필요', pt_BR: 'Precisa de aprovação' },
  'approval.review': {
    en_US: 'This task needs approval by a second person. It starts after they approve it.',
    zh_CN: '此任务需要他人审批，批准后才会开始。',
    ko: '다른 사람의 승인이 필요한 작업입니다. 승인된 후에 시작됩니다.',
    pt_BR: 'Esta tarefa precisa da aprovação de outra pessoa. Ela só começa depois de aprovada.',
  },
  'approval.ask': { en_US: 'Ask for approval', zh_CN: '请求审批', ko: '승인 요청', pt_BR: 'Pedir aprovação' },
  'approval.lead': {
    en_US:
      'Large tasks start only after a second person approves them. The creator of a task can’t approve it. The approval is for the action, its settings and files, and the devices.',
    zh_CN: '大型任务须经他人批准后才会开始。创建任务的人不能自行批准。批准针对操作、其设置和文件以及设备。',
    ko: '큰 작업은 다른 사람이 승인한 후에만 시작됩니다. 만든 사람은 승인할 수 없습니다. 승인은 동작, 설정, 파일, 장치에 대해 적용됩니다.',
    pt_BR:
      'Tarefas grandes só começam depois que outra pessoa as aprova. Quem criou a tarefa não pode aprová-la. A aprovação vale para a ação, suas opções e arquivos e os dispositivos.',
  },
  'approval.required': {
    en_US: 'Require approval by a second person',
    zh_CN: '需要他人审批',
    ko: '다른 사람의 승인 요구',
    pt_BR: 'Exigir aprovação de outra pessoa',
  },
  'approval.devices': {
    en_US: 'From this number of devices',
    zh_CN: '设备数量达到',
    ko: '이 장치 수부터',
    pt_BR: 'A partir deste número de dispositivos',
  },
  'approval.devicesHint': {
    en_US: 'Smaller tasks start without approval.',
    zh_CN: '更小的任务无需审批即可开始。',
    ko: '더 작은 작업은 승인 없이 시작됩니다.',
    pt_BR: 'Tarefas menores começam sem aprovação.',
  },
  'approval.devicesMissing': {
    en_US: 'Enter a whole number from 1.',
    zh_CN: '请输入不小于 1 的整数。',
    ko: '1 이상의 정수를 입력하세요.',
    pt_BR: 'Informe um número inteiro a partir de 1.',
  },
  'approval.actions': { en_US: 'For these actions', zh_CN: '适用操作', ko: '대상 동작', pt_BR: 'Para estas ações' },
  'approval.actionsHint': {
    en_US: 'Doors open at once or not at all, so they can’t wait for approval.',
    zh_CN: '开门只能立即执行，无法等待审批。',
    ko: '문은 즉시 열려야 하므로 승인을 기다릴 수 없습니다.',
    pt_BR: 'Portas abrem na hora ou não abrem, por isso não podem esperar por aprovação.',
  },
  'approval.actionsMissing': {
    en_US: 'Choose at least one action.',
    zh_CN: '请至少选择一个操作。',
    ko: '동작을 하나 이상 선택하세요.',
    pt_BR: 'Escolha pelo menos uma ação.',
  },
  'approval.later': {
    en_US: 'Changes apply to tasks created from now on.',
    zh_CN: '更改适用于此后创建的任务。',
    ko: '변경 사항은 이후에 만드는 작업에 적용됩니다.',
    pt_BR: 'As alterações valem para tarefas criadas a partir de agora.',
  },
  'approval.askedFor': {
    en_US: {
      one: '{{name}} created this task. It is for {{number}} device.',
      other: '{{name}} created this task. It is for {{number}} devices.',
    },
    zh_CN: '此任务由 {{name}} 创建，涉及 {{number}} 台设备。',
    ko: '{{name}} 님이 만든 작업입니다. 대상 장치는 {{number}}대입니다.',
    pt_BR: {
      one: '{{name}} criou esta tarefa. Ela é para {{number}} dispositivo.',
      many: '{{name}} criou esta tarefa. Ela é para {{number}} de dispositivos.',
      other: '{{name}} criou esta tarefa. Ela é para {{number}} dispositivos.',
    },
  },
  'approval.stageFor': {
    en_US: {
      one: '{{name}} created this task. With the devices that joined meanwhile it is for {{number}} device. Its next stage starts after this is approved.',
      other:
        '{{name}} created this task. With the devices that joined meanwhile it is for {{number}} devices. Its next stage starts after this is approved.',
    },
    zh_CN: '此任务由 {{name}} 创建。加上期间加入的设备，共涉及 {{number}} 台。获批后才会开始下一阶段。',
    ko: '{{name}} 님이 만든 작업입니다. 그동안 추가된 장치를 합하면 대상은 {{number}}대입니다. 승인되면 다음 단계가 시작됩니다.',
    pt_BR: {
      one: '{{name}} criou esta tarefa. Com os dispositivos que entraram depois, ela é para {{number}} dispositivo. A próxima etapa começa depois da aprovação.',
      many: '{{name}} criou esta tarefa. Com os dispositivos que entraram depois, ela é para {{number}} de dispositivos. A próxima etapa começa depois da aprovação.',
      other:
        '{{name}} criou esta tarefa. Com os dispositivos que entraram depois, ela é para {{number}} dispositivos. A próxima etapa começa depois da aprovação.',
    },
  },
  'approval.stageOwn': {
    en_US: 'More devices joined than were approved. The next stage of your task starts after someone else approves it.',
    zh_CN: '加入的设备多于已批准的数量。您的任务须经他人批准后才会开始下一阶段。',
    ko: '승인된 것보다 많은 장치가 추가되었습니다. 다른 사람이 승인하면 작업의 다음 단계가 시작됩니다.',
    pt_BR:
      'Entraram mais dispositivos do que os aprovados. A próxima etapa da sua tarefa começa depois que outra pessoa a aprovar.',
  },
  'approval.stageWaits': {
    en_US: 'The next stage waits for approval',
    zh_CN: '下一阶段等待审批',
    ko: '다음 단계가 승인을 기다리는 중',
    pt_BR: 'A próxima etapa aguarda aprovação',
  },
  'approval.stageRefuseText': {
    en_US:
      'The task stops: running devices finish, and no further device is told anything. Its creator reads your reason.',
    zh_CN: '任务将停止：执行中的设备会完成，不再向其他设备发送内容。创建人会看到您的理由。',
    ko: '작업이 중지됩니다. 실행 중인 장치는 끝까지 진행하고 다른 장치에는 아무것도 전달되지 않습니다. 만든 사람이 이유를 볼 수 있습니다.',
    pt_BR:
      'A tarefa para: os dispositivos em execução terminam e nenhum outro recebe nada. Quem a criou lê o seu motivo.',
  },
  'approval.askedSince': {
    en_US: 'Asked on {{when}}',
    zh_CN: '请求于 {{when}}',
    ko: '{{when}} 요청',
    pt_BR: 'Pedida em {{when}}',
  },
  'approval.ownText': {
    en_US: 'You created this task. It starts after someone else approves it.',
    zh_CN: '此任务由您创建，经他人批准后开始。',
    ko: '직접 만든 작업입니다. 다른 사람이 승인하면 시작됩니다.',
    pt_BR: 'Você criou esta tarefa. Ela começa depois que outra pessoa a aprovar.',
  },
  'approval.partText': {
    en_US: 'It also has devices that you don’t see. Someone who sees all of them has to answer.',
    zh_CN: '其中还有您看不到的设备，须由能看到全部设备的人处理。',
    ko: '볼 수 없는 장치도 있습니다. 모든 장치를 볼 수 있는 사람이 답해야 합니다.',
    pt_BR: 'Há também dispositivos que você não vê. Quem vê todos eles precisa responder.',
  },
  'approval.foot': {
    en_US: 'Nothing starts before it is approved.',
    zh_CN: '批准之前不会开始任何操作。',
    ko: '승인되기 전에는 아무것도 시작되지 않습니다.',
    pt_BR: 'Nada começa antes da aprovação.',
  },
  'approval.approve': { en_US: 'Approve', zh_CN: '批准', ko: '승인', pt_BR: 'Aprovar' },
  'approval.refuse': { en_US: 'Refuse', zh_CN: '拒绝', ko: '거부', pt_BR: 'Recusar' },
  'approval.refuseOne': {
    en_US: 'Refuse {{name}}',
    zh_CN: '拒绝“{{name}}”',
    ko: '{{name}} 거부',
    pt_BR: 'Recusar {{name}}',
  },
  'approval.refuseText': {
    en_US: 'The task ends, and no device is told anything. Its creator reads your reason.',
    zh_CN: '任务将结束，不会向任何设备发送内容。创建人会看到您的理由。',
    ko: '작업이 종료되고 장치에는 아무것도 전달되지 않습니다. 만든 사람이 이유를 볼 수 있습니다.',
    pt_BR: 'A tarefa termina e nenhum dispositivo recebe nada. Quem a criou lê o seu motivo.',
  },
  'approval.reason': { en_US: 'Reason', zh_CN: '理由', ko: '이유', pt_BR: 'Motivo' },
  'approval.reasonMissing': {
    en_US: 'Enter a reason.',
    zh_CN: '请输入理由。',
    ko: '이유를 입력하세요.',
    pt_BR: 'Informe um motivo.',
  },
  'approval.approvedBy': {
    en_US: 'Approved by {{name}} on {{when}}',
    zh_CN: '由 {{name}} 于 {{when}} 批准',
    ko: '{{name}} 님이 {{when}}에 승인',
    pt_BR: 'Aprovada por {{name}} em {{when}}',
  },
  'approval.refusedBy': {
    en_US: 'Refused by {{name}} on {{when}}',
    zh_CN: '由 {{name}} 于 {{when}} 拒绝',
    ko: '{{name}} 님이 {{when}}에 거부',
    pt_BR: 'Recusada por {{name}} em {{when}}',
  },
  'approval.neverAnswered': {
    en_US: 'It ended before anyone approved it.',
    zh_CN: '任务在获批之前已结束。',
    ko: '승인되기 전에 종료되었습니다.',
    pt_BR: 'Terminou antes de ser aprovada.',
  },
});
