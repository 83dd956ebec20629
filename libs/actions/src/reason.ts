import type { Language, Text } from '@carillon/contracts';
import type { ActionDefinition, ReasonValues } from './define.ts';
import * as registry from './registry.ts';

/**
 * Reasons without texts of an action: those of the platform, and those that docs/device-link.md allows every device to
 * answer.
 */
const reasons: Readonly<Record<string, Text>> = {
  capabilityUnknown: {
    en_US: 'It has not said what it can do',
    zh_CN: '设备未告知其支持的操作',
    ko: '장치가 지원하는 동작을 알리지 않음',
    pt_BR: 'Não informou o que sabe fazer',
  },
  unsupported: {
    en_US: 'The {model} cannot do this',
    zh_CN: '{model} 不支持此操作',
    ko: '{model}에서 지원하지 않음',
    pt_BR: 'O {model} não oferece isto',
  },
  noAnswer: { en_US: 'No answer', zh_CN: '无应答', ko: '응답 없음', pt_BR: 'Sem resposta' },
  notDone: {
    en_US: 'Begun, but its end was not told',
    zh_CN: '已开始，但未报告结果',
    ko: '시작했지만 결과를 알리지 않음',
    pt_BR: 'Iniciado, mas o fim não foi informado',
  },
  restarting: { en_US: 'Restarting', zh_CN: '正在重启', ko: '다시 시작하는 중', pt_BR: 'Reiniciando' },
  notBack: {
    en_US: 'It did not come back',
    zh_CN: '设备未重新上线',
    ko: '다시 온라인 상태가 되지 않음',
    pt_BR: 'Não voltou a ficar online',
  },
  offline: {
    en_US: 'The device is offline',
    zh_CN: '设备离线',
    ko: '장치가 오프라인 상태임',
    pt_BR: 'O dispositivo está offline',
  },
  expired: {
    en_US: 'Not reached in time',
    zh_CN: '未能及时送达',
    ko: '제시간에 전달되지 않음',
    pt_BR: 'Não alcançado a tempo',
  },
  frozen: {
    en_US: 'Held by a freeze period until {until}',
    zh_CN: '冻结期内暂缓执行，直到 {until}',
    ko: '동결 기간이라 {until}까지 보류됨',
    pt_BR: 'Retido por um período de congelamento até {until}',
  },
  busy: {
    en_US: 'Waits for the end of a call',
    zh_CN: '等待通话结束',
    ko: '통화가 끝나기를 기다리는 중',
    pt_BR: 'Aguarda o fim de uma chamada',
  },
  phoneTelling: {
    en_US: 'Being told over SIP',
    zh_CN: '正在通过 SIP 通知',
    ko: 'SIP로 알리는 중',
    pt_BR: 'Sendo avisado por SIP',
  },
  phoneWaits: {
    en_US: 'Not reached over SIP; waits until the phone asks, at most an hour',
    zh_CN: '无法通过 SIP 通知；等待话机下次请求，最多一小时',
    ko: 'SIP로 연결되지 않음. 전화기가 다음에 요청할 때까지(최대 1시간) 대기',
    pt_BR: 'Não alcançado por SIP; aguarda o próximo pedido do telefone, no máximo uma hora',
  },
  phoneUnreached: {
    en_US: 'The phone didn’t answer over SIP',
    zh_CN: '话机未响应 SIP 通知',
    ko: '전화기가 SIP 알림에 응답하지 않음',
    pt_BR: 'O telefone não respondeu por SIP',
  },
  phoneTold: {
    en_US: 'Told over SIP; fetches its configuration, which names the file',
    zh_CN: '已通过 SIP 通知；正在获取指明该文件的配置',
    ko: 'SIP로 알림. 파일이 지정된 설정을 가져오는 중',
    pt_BR: 'Avisado por SIP; busca sua configuração, que indica o arquivo',
  },
  phoneLoading: {
    en_US: 'Loads the file',
    zh_CN: '正在下载文件',
    ko: '파일을 내려받는 중',
    pt_BR: 'Baixando o arquivo',
  },
  phoneInstalling: {
    en_US: 'Has the file; restarts with it',
    zh_CN: '文件已下载；正在以新固件重启',
    ko: '파일을 받음. 새 펌웨어로 다시 시작하는 중',
    pt_BR: 'Tem o arquivo; reinicia com ele',
  },
  phoneKept: {
    en_US: 'It still had its former version at the end',
    zh_CN: '到结束时仍为原版本',
    ko: '끝날 때까지 이전 버전 그대로였음',
    pt_BR: 'No fim ainda tinha a versão anterior',
  },
  phoneNotLoaded: {
    en_US: 'It didn’t load the file in time',
    zh_CN: '未能及时下载文件',
    ko: '제시간에 파일을 내려받지 않음',
    pt_BR: 'Não baixou o arquivo a tempo',
  },
  phoneNoSetting: {
    en_US: 'Its configuration can’t name the file, or not with an address of this length',
    zh_CN: '其配置无法指明该文件，或地址过长',
    ko: '설정에서 파일을 지정할 수 없거나 주소가 너무 김',
    pt_BR: 'Sua configuração não pode indicar o arquivo, ou o endereço é longo demais',
  },
  phoneStopped: {
    en_US: 'The task was stopped before the phone had finished',
    zh_CN: '话机完成前任务已停止',
    ko: '전화기가 마치기 전에 작업이 중지됨',
    pt_BR: 'A tarefa foi parada antes de o telefone terminar',
  },
  occupied: {
    en_US: 'The device was busy',
    zh_CN: '设备正忙',
    ko: '장치가 사용 중이었음',
    pt_BR: 'O dispositivo estava ocupado',
  },
  unknown: {
    en_US: 'Broken off by a restart',
    zh_CN: '因重启而中断',
    ko: '재시작으로 중단됨',
    pt_BR: 'Interrompido por uma reinicialização',
  },
  clock: {
    en_US: "The device's clock is not set",
    zh_CN: '设备时钟未设置',
    ko: '장치 시계가 설정되지 않음',
    pt_BR: 'O relógio do dispositivo não está ajustado',
  },
  rejected: {
    en_US: 'Not accepted: {keys}',
    zh_CN: '未被接受：{keys}',
    ko: '적용되지 않음: {keys}',
    pt_BR: 'Não aceito: {keys}',
  },
  versionOutside: {
    en_US: 'Its firmware is outside the version range',
    zh_CN: '固件版本不在范围内',
    ko: '펌웨어 버전이 범위를 벗어남',
    pt_BR: 'O firmware está fora do intervalo de versões',
  },
  versionUnknown: {
    en_US: 'Its firmware version can’t be compared',
    zh_CN: '无法比较固件版本',
    ko: '펌웨어 버전을 비교할 수 없음',
    pt_BR: 'A versão do firmware não pode ser comparada',
  },
  byHand: {
    en_US: 'Done by hand, says {name}',
    zh_CN: '由 {name} 确认已人工完成',
    ko: '{name} 님이 직접 처리했다고 표시함',
    pt_BR: 'Feito manualmente, segundo {name}',
  },
  deleted: {
    en_US: 'The device was deleted',
    zh_CN: '设备已删除',
    ko: '장치가 삭제됨',
    pt_BR: 'O dispositivo foi excluído',
  },
  handedOver: {
    en_US: 'The device was handed over to another company',
    zh_CN: '设备已移交给其他公司',
    ko: '장치가 다른 회사로 이관됨',
    pt_BR: 'O dispositivo foi entregue a outra empresa',
  },
};

const refusals = Object.fromEntries(
  (Object.values(registry) as unknown as ActionDefinition[]).map(({ key, texts }) => [key, texts.refusals]),
);

/** Returns the text of a reason, or null when neither the action nor the platform has one for the code. */
export function reasonText(action: string, code: string, values: ReasonValues, language: Language): string | null {
  const own = Object.hasOwn(refusals, action) ? refusals[action]! : {};
  const text = [own, reasons].find((texts) => Object.hasOwn(texts, code))?.[code];
  if (!text) return null;
  return text[language].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
