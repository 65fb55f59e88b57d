package serve

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Start serves s on a free loopback port and returns the base URL, like
// http://127.0.0.1:40000. Stop ends all connections and waits for them. Start
// panics when the machine has no loopback port to give: it is for tests.
func Start(s *Server) (url string, stop func()) {
	url, stop, err := StartAt(s, "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return url, stop
}

// StartAt is Start on an address of the caller's.
func StartAt(s *Server, addr string) (url string, stop func(), err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var open sync.WaitGroup
	srv := &http.Server{
		BaseContext: func(net.Listener) context.Context { return ctx },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			open.Add(1)
			defer open.Done()
			s.ServeHTTP(w, r)
		}),
	}
	open.Add(1)
	go func() {
		defer open.Done()
		_ = srv.Serve(l) // it ends with ErrServerClosed
	}()
	return "http://" + l.Addr().String(), func() {
		cancel()
		_ = srv.Close() // the connections are done with
		open.Wait()
	}, nil
}
