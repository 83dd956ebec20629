// Package mqtt is the k6 module `k6/x/mqtt`: MQTT 3.1.1 clients with the names of k6's official extension, so that a
// script runs on either. Events run in the VU's event loop, so only memory limits the connections of a VU.
package mqtt

import (
	"context"
	"errors"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/grafana/sobek"
	"go.k6.io/k6/js/common"
	"go.k6.io/k6/js/modules"
	"go.k6.io/k6/js/promises"
	"go.k6.io/k6/metrics"
)

// answerWithin is the timeout for CONNACK, SUBACK and PUBACK.
const answerWithin = 30 * time.Second

type client struct {
	vu        modules.VU
	metrics   *measures
	options   clientOptions
	inner     paho.Client
	handlers  map[string][]sobek.Callable
	events    chan func() error
	connected bool
	ending    bool
}

type clientOptions struct {
	ClientID string `js:"client_id"`
	Username string `js:"username"`
	Password string `js:"password"`
}

type connectOptions struct {
	Keepalive    int   `js:"keepalive"`
	CleanSession *bool `js:"clean_session"`
}

type messageOptions struct {
	QoS    byte `js:"qos"`
	Retain bool `js:"retain"`
}

func export[T any](rt *sobek.Runtime, value sobek.Value) T {
	var into T
	if value == nil || sobek.IsUndefined(value) || sobek.IsNull(value) {
		return into
	}
	if err := rt.ExportTo(value, &into); err != nil {
		common.Throw(rt, err)
	}
	return into
}

func (c *client) on(event string, handler sobek.Callable) {
	c.handlers[event] = append(c.handlers[event], handler)
}

// tell calls the handlers of an event. Call it only in the event loop.
func (c *client) tell(event string, args ...sobek.Value) error {
	for _, handler := range c.handlers[event] {
		if _, err := handler(sobek.Undefined(), args...); err != nil {
			return err
		}
	}
	return nil
}

// later runs fn in the event loop. It may be called from any goroutine.
func (c *client) later(ctx context.Context, fn func() error) {
	select {
	case c.events <- fn:
	case <-ctx.Done():
	}
}

// loop hands events to the VU one by one and keeps the iteration alive until `end`.
func (c *client) loop(ctx context.Context, enqueue func(func() error)) {
	for {
		select {
		case fn := <-c.events:
			done := make(chan func(func() error), 1)
			enqueue(func() error {
				err := fn()
				if c.ending {
					done <- nil
				} else {
					done <- c.vu.RegisterCallback()
				}
				return err
			})
			select {
			case enqueue = <-done:
				if enqueue == nil {
					return
				}
			case <-ctx.Done():
				c.inner.Disconnect(0)
				return
			}
		case <-ctx.Done():
			c.inner.Disconnect(0)
			enqueue(func() error { return nil })
			return
		}
	}
}

// connect returns at once; `connect` or `error` follows as an event.
func (c *client) connect(url string, value sobek.Value) {
	rt, state := c.vu.Runtime(), c.vu.State()
	if state == nil {
		common.Throw(rt, errors.New("a client connects in a VU, not in the init context"))
	}
	if c.inner != nil {
		common.Throw(rt, errors.New("this client has been connected already"))
	}
	given, ctx := export[connectOptions](rt, value), c.vu.Context()
	options := paho.NewClientOptions().AddBroker(url).SetProtocolVersion(4).SetAutoReconnect(false).SetConnectTimeout(answerWithin).
		SetClientID(c.options.ClientID).SetUsername(c.options.Username).SetPassword(c.options.Password).SetOrderMatters(true).
		SetCleanSession(given.CleanSession == nil || *given.CleanSession)
	if given.Keepalive > 0 {
		options.SetKeepAlive(time.Duration(given.Keepalive) * time.Second)
	}
	if state.TLSConfig != nil {
		options.SetTLSConfig(state.TLSConfig.Clone())
	}
	options.SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) {
		topic, payload := m.Topic(), m.Payload()
		c.metrics.push(c.vu, c.metrics.received, 1)
		c.later(ctx, func() error { return c.tell("message", rt.ToValue(topic), rt.ToValue(rt.NewArrayBuffer(payload))) })
	})
	options.SetConnectionLostHandler(func(_ paho.Client, err error) {
		c.later(ctx, func() error {
			c.connected, c.ending = false, true
			c.metrics.push(c.vu, c.metrics.errors, 1)
			return errors.Join(c.tell("error", rt.ToValue(err.Error())), c.tell("end"))
		})
	})
	c.inner = paho.NewClient(options)
	began := time.Now()
	go c.loop(ctx, c.vu.RegisterCallback())
	go func() {
		err := wait(c.inner.Connect())
		c.later(ctx, func() error {
			if c.ending {
				return nil
			}
			if err != nil {
				c.ending = true
				c.metrics.push(c.vu, c.metrics.errors, 1)
				return errors.Join(c.tell("error", rt.ToValue(err.Error())), c.tell("end"))
			}
			c.connected = true
			c.metrics.push(c.vu, c.metrics.connect, metrics.D(time.Since(began)))
			return c.tell("connect")
		})
	}()
}

func wait(token paho.Token) error {
	if !token.WaitTimeout(answerWithin) {
		return errors.New("no answer in time")
	}
	return token.Error()
}

func (c *client) mustBeConnected() {
	if c.inner == nil || c.ending {
		common.Throw(c.vu.Runtime(), errors.New("the client is not connected"))
	}
}

// measured waits for an answer and counts it.
func (c *client) measured(trend *metrics.Metric, began time.Time, token paho.Token) error {
	err := wait(token)
	if err != nil {
		c.metrics.push(c.vu, c.metrics.errors, 1)
	} else {
		c.metrics.push(c.vu, trend, metrics.D(time.Since(began)))
	}
	return err
}

// now blocks the VU until the answer; async returns a promise instead.
func (c *client) now(trend *metrics.Metric, begin func() paho.Token) {
	c.mustBeConnected()
	if err := c.measured(trend, time.Now(), begin()); err != nil {
		common.Throw(c.vu.Runtime(), err)
	}
}

func (c *client) async(trend *metrics.Metric, begin func() paho.Token) *sobek.Promise {
	c.mustBeConnected()
	promise, resolve, reject := promises.New(c.vu)
	// Sent here and awaited in a goroutine, so that messages keep their order.
	began, token := time.Now(), begin()
	go func() {
		if err := c.measured(trend, began, token); err != nil {
			reject(err)
		} else {
			resolve(sobek.Undefined())
		}
	}()
	return promise
}

func (c *client) publishing(topic string, message, value sobek.Value) func() paho.Token {
	payload, err := common.ToBytes(message.Export())
	if err != nil {
		common.Throw(c.vu.Runtime(), err)
	}
	options := export[messageOptions](c.vu.Runtime(), value)
	return func() paho.Token {
		c.metrics.push(c.vu, c.metrics.sent, 1)
		return c.inner.Publish(topic, options.QoS, options.Retain, payload)
	}
}

func (c *client) subscribing(topics, value sobek.Value) func() paho.Token {
	qos := export[messageOptions](c.vu.Runtime(), value).QoS
	filters := map[string]byte{}
	for _, topic := range c.names(topics) {
		filters[topic] = qos
	}
	return func() paho.Token { return c.inner.SubscribeMultiple(filters, nil) }
}

func (c *client) unsubscribing(topics sobek.Value) func() paho.Token {
	names := c.names(topics)
	return func() paho.Token { return c.inner.Unsubscribe(names...) }
}

// names reads one topic or an array of them.
func (c *client) names(value sobek.Value) []string {
	if text, ok := value.Export().(string); ok {
		return []string{text}
	}
	return export[[]string](c.vu.Runtime(), value)
}

// end says goodbye; `end` follows as an event.
func (c *client) end() {
	if c.inner == nil || c.ending {
		return
	}
	c.connected = false
	ctx := c.vu.Context()
	go func() {
		c.inner.Disconnect(250)
		c.later(ctx, func() error { c.ending = true; return c.tell("end") })
	}()
}
